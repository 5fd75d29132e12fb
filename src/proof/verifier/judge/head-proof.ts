import { parseJsonBytes } from '../../encoding/json.ts';
import { isHeadProofAsAsked, judgeHeadProof } from '../../ledger/head-verdict.ts';
import type { Judge } from '../values/judgement.ts';
import { checkJournal } from './head-in-journal.ts';
import { quorumsMet } from './sentences.ts';

/** Judges a proof of a journal's head. It was recognised by its `type`, so that it is JSON. */
export const judgeHeadProofKind: Judge = (primitives, document, { logKeys, policy, now, additional }) => {
  const journal = additional?.journal;
  const result = judgeHeadProof(
    primitives,
    parseJsonBytes(document),
    { logKeys, policy, now },
    journal === undefined ? null : (head) => checkJournal(primitives, journal, head),
  );
  const { head, cosignatures } = result;
  return {
    isValid: isHeadProofAsAsked(result),
    result,
    kind: 'headProof',
    facts: [
      ...(head === null
        ? []
        : [
            `journal of ${head.account}: ${head.entries} entries at the leaf of ${head.date}`,
            `the newest of them: ${head.head}`,
          ]),
      ...quorumsMet(cosignatures),
    ],
  };
};
