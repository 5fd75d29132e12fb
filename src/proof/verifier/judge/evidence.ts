import { isEvidenceAsAsked, judgeEvidence } from '../../log-documents/evidence-verdict.ts';
import type { Judge } from '../values/judgement.ts';
import { quorumsMet } from './sentences.ts';

/** Judges a saved item of evidence, with the proof of --proof. */
export const judgeEvidenceKind: Judge = (primitives, document, { logKeys, policy, now, additional }) => {
  const proof = additional?.proof;
  const result = judgeEvidence(primitives, document, { logKeys, policy, now, proof });
  const { item, checks, cosignatures } = result;
  const isValid = isEvidenceAsAsked(result);
  return {
    isValid,
    result,
    kind: 'evidence',
    facts: [
      ...(item === null
        ? []
        : [`signed by agent ${item.subject_commitment}: ${item.source_type} ${item.payload_digest}`]),
      ...(item === null || checks.proof !== 'ok'
        ? []
        : [`item ${item.index} of the agent, logged at ${item.created_at}`]),
      ...quorumsMet(cosignatures),
    ],
  };
};
