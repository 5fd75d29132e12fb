import type { Clock } from '../../../platform/time/clock.ts';
import { readKeyLogEntry } from '../../../proof/log/log-change.ts';
import type { LogContent } from '../contents.ts';
import { appendNewKeysIn, isAnyKeyUnlogged } from './log/key-events.ts';
import { appendKeyEntryIn, keyLeavesOf } from './log/leaves.ts';
import { appendLogChangeIn, appendLogChangesIn, isAnyClosingUnlogged } from './log/log-changes.ts';
import { recoverKeyEventIn } from './log/recovery.ts';
import { appendLostEndsIn, isAnyEndLost } from './lost-ends.ts';
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
        isNeededIn: async (snapshot, directory) =>
          (await isAnyKeyUnlogged(snapshot, parts.signer)) ||
          (await isAnyClosingUnlogged(snapshot, directory)) ||
          isAnyEndLost(parts.signer, directory),
        async appendIn(tx, logs, directory) {
          await appendNewKeysIn(tx, logs, parts);
          await appendLogChangesIn(tx, logs, parts.clock, directory);
          const { signer, clock } = parts;
          await appendLostEndsIn(tx, logs, { signer, now: clock.now() }, directory);
        },
      },
      async recoverIn(tx, log, text) {
        const entry = readKeyLogEntry(text);
        if ('change' in entry) {
          await appendLogChangeIn(tx, log, entry.change);
          return null;
        }
        const keySeq = await recoverKeyEventIn(tx, entry.key, parts.policy.publishKeysAheadMs);
        await appendKeyEntryIn(tx, log, keySeq, entry.key);
        return null;
      },
    },
  ];
}
