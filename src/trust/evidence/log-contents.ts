import { readEvidenceEntry } from '../../proof/log/log-entry.ts';
import type { LogContent } from '../log/contents.ts';
import { itemLeavesOf } from './log/leaves.ts';
import { recoverItemIn } from './log/recovery.ts';

/** Provides the entries of the log of evidence. */
export function logContents(): readonly LogContent[] {
  return [
    {
      log: 'evidence',
      leavesOf: itemLeavesOf,
      recoverIn: (tx, log, text) => recoverItemIn(tx, log, text, readEvidenceEntry(text)),
    },
  ];
}
