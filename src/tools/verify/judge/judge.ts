import type { Inputs } from '../values/inputs.ts';
import type { Judgement, Step } from '../values/judgement.ts';
import { judgeAccount } from './account.ts';
import { judgeByBoth } from './both-implementations.ts';
import { judgeList } from './list.ts';

/** The result for one document, or the steps of judging many receipts. */
export type Judging = Promise<Judgement> | AsyncGenerator<Step>;

/**
 * Judges what was read, and nothing else: it reads no file, no URL and no clock.
 * @throws Failure if it cannot say anything reliable
 */
export function judge(inputs: Inputs): Judging {
  switch (inputs.subject) {
    case 'document': {
      const { name, document, context, judge: judgeDocument } = inputs;
      return judgeByBoth(name, (primitives) => judgeDocument(primitives, document, context));
    }
    case 'list':
      return judgeList(inputs);
    case 'account':
      return judgeAccount(inputs);
  }
}
