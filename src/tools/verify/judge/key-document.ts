import { isMet } from '../../../proof/log/quorum.ts';
import {
  isKeyDocumentAsAsked,
  judgeKeyDocument,
  KEY_DOCUMENT_VERDICTS,
} from '../../../proof/log-documents/key-document-verdict.ts';
import type { Judge } from '../values/judgement.ts';
import { describeQuorum, notProven } from './sentences.ts';

/** Judges a saved list of keys against a copy of the key log. */
export const judgeKeyDocumentKind: Judge = (primitives, document, { logKeys, policy, now, additional }) => {
  const log = additional?.keyLog ?? { checkpoint: new Uint8Array(), entries: [] };
  const predecessors = additional?.closedKeyLogs ?? [];
  const result = judgeKeyDocument(primitives, document, { logKeys, policy, now, log, predecessors });
  const isValid = isKeyDocumentAsAsked(result);
  const { verdict } = result;
  return {
    isValid,
    result,
    sentence:
      verdict === 'valid' && !isValid
        ? notProven('The keys are as the key log says')
        : `${verdict}: ${KEY_DOCUMENT_VERDICTS[verdict]}`,
    facts: [
      ...(result.log === null ? [] : [`${result.log.origin} has ${result.log.tree_size} entries`]),
      ...(result.notes ?? []),
      ...(result.cosignatures ?? []).filter(({ check }) => isMet(check)).map(describeQuorum),
    ],
  };
};
