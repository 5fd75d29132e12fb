import { isKeyDocumentAsAsked, judgeKeyDocument } from '../../log-documents/key-document-verdict.ts';
import type { Judge } from '../values/judgement.ts';
import { quorumsMet } from './sentences.ts';

/** Judges a saved list of keys against a copy of the key log. */
export const judgeKeyDocumentKind: Judge = (primitives, document, { logKeys, policy, now, additional }) => {
  const log = additional?.keyLog ?? { checkpoint: new Uint8Array(), entries: [] };
  const predecessors = additional?.closedKeyLogs ?? [];
  const result = judgeKeyDocument(primitives, document, { logKeys, policy, now, log, predecessors });
  const isValid = isKeyDocumentAsAsked(result);
  return {
    isValid,
    result,
    kind: 'keys',
    facts: [...(result.notes ?? []), ...quorumsMet(result.cosignatures)],
  };
};
