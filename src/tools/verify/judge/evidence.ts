import { isMet } from '../../../proof/log/quorum.ts';
import {
  EVIDENCE_VERDICTS,
  isEvidenceAsAsked,
  judgeEvidence,
} from '../../../proof/log-documents/evidence-verdict.ts';
import type { Judge } from '../values/judgement.ts';
import { describeQuorum, describeTree, notProven } from './sentences.ts';

/** Judges a saved item of evidence, with the proof of --proof. */
export const judgeEvidenceKind: Judge = (primitives, document, { logKeys, policy, now, additional }) => {
  const proof = additional?.proof;
  const result = judgeEvidence(primitives, document, { logKeys, policy, now, proof });
  const { verdict, item, tree = null, cosignatures = [] } = result;
  const isValid = isEvidenceAsAsked(result);
  return {
    isValid,
    result,
    sentence:
      verdict === 'valid' && !isValid
        ? notProven('The log has the item')
        : `${verdict}: ${EVIDENCE_VERDICTS[verdict]}`,
    facts: [
      ...(item === null
        ? []
        : [
            `signed by agent ${item.subject_commitment}: ${item.source_type} ${item.payload_digest}`,
            ...(proof === undefined
              ? ['proof: not checked; --proof shows its time and its position in the chain of the agent']
              : []),
          ]),
      ...(item === null || tree === null || result.checks.proof !== 'ok'
        ? []
        : [`item ${item.index} of the agent, logged at ${item.created_at}; ${describeTree(tree)}`]),
      ...cosignatures.filter(({ check }) => isMet(check)).map(describeQuorum),
    ],
  };
};
