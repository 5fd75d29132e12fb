import { type History, honestHistory } from '../../test/support/honest/history.ts';

/** What came of the histories. */
export interface Honest {
  histories: number;
  steps: number;
  /** Histories in which something wrong was said. */
  falseAlarms: number;
  verified: Record<string, number>;
  seconds: number;
}

/**
 * Makes up histories of honest services: receipts, evidence, linked accounts, rotated and stolen keys,
 * restarted and renamed logs, restored backups, clocks that are wrong. Monitors, audits and `verify` must find
 * nothing wrong, except for entries that a restored backup lost.
 * @param first the seed of the first history; the others follow
 */
export async function tortureHonest({
  histories,
  steps,
  first,
  log,
}: {
  histories: number;
  steps: number;
  first: number;
  log: (line: string) => void;
}): Promise<Honest> {
  const since = performance.now();
  const result: Honest = { histories, steps: 0, falseAlarms: 0, verified: {}, seconds: 0 };
  for (let seed = first; seed < first + histories; seed++) {
    const history: History = await honestHistory(seed, { steps, withPython: seed % 10 === 0 });
    result.steps += history.steps.length;
    for (const [what, count] of Object.entries(history.verified))
      result.verified[what] = (result.verified[what] ?? 0) + count;
    if (history.alarms.length > 0) {
      result.falseAlarms++;
      log(`seed ${seed}, after ${history.steps.join(', ')}:`);
      for (const alarm of history.alarms) log(`  ${alarm}`);
    } else log(`seed ${seed}: ${history.steps.length} steps, no alarm`);
  }
  result.seconds = Math.round((performance.now() - since) / 1000);
  return result;
}

if (import.meta.main) {
  const [histories = 200, steps = 40, first = 1] = process.argv.slice(2).map(Number);
  const log = (line: string) => void process.stdout.write(`${line}\n`);
  const result = await tortureHonest({ histories, steps, first, log });
  log(JSON.stringify(result));
  if (result.falseAlarms > 0) process.exitCode = 1;
}
