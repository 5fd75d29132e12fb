import type { Clock } from '../../../platform/time/clock.ts';
import { readKeyEntry } from '../../../proof/log/log-entry.ts';
import type { LogContent } from '../contents.ts';
import { appendNewKeysIn, isAnyKeyUnlogged } from './log/key-events.ts';
import { appendKeyEntryIn, keyLeavesOf } from './log/leaves.ts';
import { recoverKeyEventIn } from './log/recovery.ts';
import type { Signer } from './signing/signer.ts';

/** Provides the entries of the key log. */
export function logContents(parts: {
  signer: Signer;
  clock: Clock;
  policy: { publishKeysAheadMs: number };
}): readonly LogContent[] {
  return [
    {
      log: 'keys',
      leavesOf: keyLeavesOf,
      backfill: {
        isNeededIn: (snapshot) => isAnyKeyUnlogged(snapshot, parts.signer),
        appendIn: (tx, logs) => appendNewKeysIn(tx, logs, parts),
      },
      async recoverIn(tx, log, text) {
        const entry = readKeyEntry(text);
        const keySeq = await recoverKeyEventIn(tx, entry, parts.policy.publishKeysAheadMs);
        await appendKeyEntryIn(tx, log, keySeq, entry);
        return null;
      },
    },
  ];
}
