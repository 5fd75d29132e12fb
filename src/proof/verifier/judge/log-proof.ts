import {
  isProofAsAsked,
  judgeCheckpoint,
  judgeProof,
  type ProofResult,
} from '../../log-documents/proof-verdict.ts';
import type { Judge, Judgement } from '../values/judgement.ts';
import { quorumsMet } from './sentences.ts';

/** Judges a saved checkpoint. */
export const judgeCheckpointKind: Judge = (primitives, document, context) =>
  judgement(judgeCheckpoint(primitives, document, context));

/** Judges a saved proof of an entry. */
export const judgeProofKind: Judge = (primitives, document, context) =>
  judgement(judgeProof(primitives, document, context));

function judgement(result: ProofResult): Judgement {
  const { proven = null, cosignatures } = result;
  const isValid = isProofAsAsked(result);
  return {
    isValid,
    result,
    kind: 'proof',
    facts: [
      ...(proven === null ? [] : [`entry ${proven.index}: ${proven.entry}`]),
      ...quorumsMet(cosignatures),
    ],
  };
}
