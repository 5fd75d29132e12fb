import { isEvidenceBundleAsAsked, judgeEvidenceBundle } from '../../bundle/evidence-bundle.ts';
import { parseJsonBytes } from '../../encoding/json.ts';
import type { Judge } from '../values/judgement.ts';
import { quorumsMet } from './sentences.ts';

/** Judges a bundle of evidence. It was recognised by its `type`, so that it is JSON. */
export const judgeEvidenceBundleKind: Judge = (primitives, document, { logKeys, policy, now }) => {
  const result = judgeEvidenceBundle(primitives, parseJsonBytes(document), { logKeys, policy, now });
  const { item, cosignatures } = result;
  const isValid = isEvidenceBundleAsAsked(result);
  return {
    isValid,
    result,
    kind: 'evidenceBundle',
    ...(item?.outcome != null && { open: ['outcome'] }),
    facts: [
      ...(item === null
        ? []
        : [
            `agent ${item.subject_commitment}: ${item.source_type} ${item.payload_digest}`,
            `item ${item.index} of the agent, logged at ${item.created_at}`,
          ]),
      ...quorumsMet(cosignatures),
    ],
  };
};
