import type { Described, Step } from '../../../proof/verifier/values/judgement.ts';
import type { Inputs } from '../values/inputs.ts';
import { judgeAccount } from './account.ts';
import { judgeByBoth } from './both-implementations.ts';
import { judgeJournal } from './journal.ts';
import { judgeList } from './list.ts';

/** The result for one document, or the steps of judging many receipts. */
export type Judging = Promise<Described> | AsyncGenerator<Step>;

/**
 * Judges what was read, and nothing else: it reads no file, no URL and no clock.
 * @throws Failure if it cannot say anything reliable
 */
export function judge(inputs: Inputs): Judging {
  switch (inputs.subject) {
    case 'document': {
      const { name, document, context, judge: judgeDocument } = inputs;
      return judgeByBoth(name, (primitives) => judgeDocument(primitives, document, context)).then(
        async (judgement) => {
          // Lists do not need the words of all kinds, which bring the code of their verdicts.
          const { described } = await import('../../../proof/verifier/judge/described.ts');
          return described(judgement, document, context);
        },
      );
    }
    case 'list':
      return judgeList(inputs);
    case 'account':
      return judgeAccount(inputs);
    case 'journal':
      return judgeJournal(inputs);
  }
}
