import { CHEATS, missedBy, numbersFrom, prepare, problemsOf } from '../../test/support/account-trials.ts';
import { madeAccount } from '../../test/support/made-account.ts';

/** What came of the trials. */
export interface Tortured {
  receipts: number;
  leaves: number;
  trials: number;
  named: number;
  missed: number;
  /** Comparisons of the list and the log as they are. */
  untouched: number;
  falseAlarms: number;
  seconds: number;
}

/** A list and a log that nobody touched are compared after this many trials. */
const UNTOUCHED_EVERY = 100;
const MANY_MAX = 1000;

/**
 * Makes a linked account, and then cheats in every known way, with one receipt or with many: receipts are
 * dropped, swapped, altered, moved to another account, cut off at the end or never finalized, and leaves of
 * the log dropped, repeated or changed. `verify --complete` must name all of it, and nothing that nobody
 * touched.
 * @param seed of the random numbers, so that trials can be repeated
 */
export function tortureAccount({
  receipts,
  trials,
  seed,
  log,
}: {
  receipts: number;
  trials: number;
  seed: number;
  log: (line: string) => void;
}): Tortured {
  const since = performance.now();
  const made = madeAccount(receipts, Date.parse('2026-06-01T12:00:00.000Z'));
  const prepared = prepare(made);
  const names = Object.keys(CHEATS);
  const result: Tortured = {
    ...{ receipts, leaves: made.entries.length, trials, named: 0, missed: 0 },
    ...{ untouched: 0, falseAlarms: 0, seconds: 0 },
  };
  for (let trial = 0; trial < trials; trial++) {
    if (trial % UNTOUCHED_EVERY === 0) {
      result.untouched++;
      const shown = { listed: [...prepared.listed], entries: made.entries, kept: made.kept };
      const [alarm] = problemsOf(shown, prepared.now);
      if (alarm !== undefined) {
        result.falseAlarms++;
        log(`false alarm: ${JSON.stringify(alarm)}`);
      }
      log(`${trial} of ${trials} trials, ${result.missed} missed, ${result.falseAlarms} false alarms`);
    }
    const next = numbersFrom(seed * 1_000_003 + trial);
    const name = names[trial % names.length] ?? '';
    const changes = next(2) === 0 ? 1 : 1 + next(MANY_MAX);
    const missed = missedBy(name, prepared, next, changes);
    if (missed === null) result.named++;
    else {
      result.missed++;
      log(`missed, trial ${trial}: ${missed}`);
    }
  }
  result.seconds = Math.round((performance.now() - since) / 1000);
  return result;
}

if (import.meta.main) {
  const [receipts = 100_000, trials = 1000, seed = 1] = process.argv.slice(2).map(Number);
  const result = tortureAccount({ receipts, trials, seed, log: (line) => process.stdout.write(`${line}\n`) });
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (result.missed > 0 || result.falseAlarms > 0) process.exitCode = 1;
}
