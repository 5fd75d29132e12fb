import { isMet } from '../../../proof/log/quorum.ts';
import {
  isProofAsAsked,
  judgeCheckpoint,
  judgeProof,
  PROOF_VERDICTS,
  type ProofResult,
} from '../../../proof/log-documents/proof-verdict.ts';
import type { Judge, Judgement } from '../values/judgement.ts';
import { describeQuorum, describeTree, notProven } from './sentences.ts';

/** Judges a saved checkpoint. */
export const judgeCheckpointKind: Judge = (primitives, document, context) =>
  judgement(judgeCheckpoint(primitives, document, context), 'The checkpoint is signed');

/** Judges a saved proof of an entry. */
export const judgeProofKind: Judge = (primitives, document, context) =>
  judgement(judgeProof(primitives, document, context), 'The proof is valid');

function judgement(result: ProofResult, fact: string): Judgement {
  const { verdict, tree, proven = null, cosignatures = [] } = result;
  const isValid = isProofAsAsked(result);
  return {
    isValid,
    result,
    sentence: verdict === 'valid' && !isValid ? notProven(fact) : `${verdict}: ${PROOF_VERDICTS[verdict]}`,
    facts: [
      ...(tree === null ? [] : [describeTree(tree)]),
      ...(proven === null ? [] : [`entry ${proven.index}: ${proven.entry}`]),
      ...cosignatures.filter(({ check }) => isMet(check)).map(describeQuorum),
    ],
  };
}
