import { writeProblem, writeSummary } from '../../platform/audit/output.ts';
import { jsonLine, writeOut } from '../../platform/terminal/output.ts';
import { Progress } from '../../platform/terminal/progress.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { logSource } from '../../platform/tlog/source.ts';
import { sentenceOf } from '../../proof/log/problem.ts';
import { groupDigits } from '../../proof/words/group-digits.ts';
import { FetchBudget, type FetchLimits } from './fetch-budget.ts';
import { namedLogKeys, serviceLogKeys, type TrustedLogKeys } from './keys/log-keys.ts';
import { keysOfCopy } from './keys/pinned-keys.ts';
import { note } from './notes.ts';
import { type LimitOptions, limitsOf } from './options.ts';
import { auditRemote, type NewestCheckpoint, type RemoteCounts } from './remote-audit.ts';

const UNLIMITED: FetchLimits = {
  mebibytes: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
};

/** The maximum number of reported problems; a hostile log could cause an unlimited number. */
const PROBLEMS_MAX = 10_000;

/** The options of the command line. */
export interface FsckOptions extends LimitOptions {
  all?: boolean;
  logKey?: string[];
}

/**
 * Audits the logs at a URL or in a monitor's directory, and writes the problems.
 * @param copy the directory of the copy; null for a URL
 * @throws Failure for logs that cannot be read, and for checkpoints without a trusted signature
 */
export async function fsckRemote(
  location: string,
  { all, logKey = [], ...limits }: FsckOptions,
  copy: string | null = null,
): Promise<void> {
  const source = logSource(location);
  // The monitor has already limited the size of a local copy.
  const budget = new FetchBudget(copy === null ? limitsOf(limits) : UNLIMITED);
  const trusted = copy === null ? await keysOfUrl(location, logKey) : await keysOfCopy(copy, logKey);
  if (copy === null && logKey.length === 0)
    note(
      'the log keys come from the service itself, so this audit shows only that the service does not contradict itself',
    );
  const progress = new Progress(process.stderr, 'entries');
  const api = copy === null ? await apiOf(new URL(location)) : null;
  let seen: RemoteCounts = { entries: 0, tiles: 0, checkpoints: 0, signatures: 0 };
  const newest: NewestCheckpoint[] = [];
  let problems = 0;
  try {
    for await (const step of auditRemote(source, api, trusted, systemClock.now(), budget)) {
      if ('problem' in step) {
        problems++;
        await writeProblem({ ...step.problem, sentence: sentenceOf(step.problem) }, progress);
        if (all !== true) break;
        if (problems >= PROBLEMS_MAX) {
          note(`at most ${groupDigits(PROBLEMS_MAX)} problems are reported`);
          break;
        }
      } else {
        ({ seen } = step);
        if (step.newest !== undefined) newest.push(step.newest);
        progress.at(seen.entries + seen.checkpoints, step.share);
      }
    }
    progress.clear();
    const checkpoints = newest.map(({ isLate: _, ...checkpoint }) => checkpoint);
    await writeOut(jsonLine({ ok: problems === 0, problems, examined: seen, newest: checkpoints }));
    for (const checkpoint of newest) noteAge(checkpoint);
    writeSummary(
      progress,
      problems,
      `${groupDigits(seen.entries)} entries, ${groupDigits(seen.tiles)} tiles, ${groupDigits(seen.checkpoints)} checkpoints`,
    );
  } finally {
    progress.clear();
  }
}

/** Returns the keys of the command line; those that the service returns without them. @throws Failure */
function keysOfUrl(location: string, logKey: readonly string[]): Promise<TrustedLogKeys> {
  return logKey.length > 0 ? namedLogKeys(logKey) : serviceLogKeys(location);
}

/** Notes a late or undated checkpoint: someone may withhold the newest entries of a consistent log. */
function noteAge({ log, age_seconds: age, isLate }: NewestCheckpoint): void {
  if (age === null) note(`the age of the newest checkpoint of ${log} is unknown: no signature states a time`);
  else if (isLate)
    note(
      `the newest checkpoint of ${log} is ${groupDigits(Math.floor(age / 60))} minutes old, but a log signs a new one every 10`,
    );
}

/** Returns the URL of the service that lists checkpoints; null when only the log's files are served. */
async function apiOf(location: URL): Promise<URL | null> {
  if (location.pathname === '/') return location;
  try {
    const response = await fetch(new URL('/api/v1/receipts/checkpoints?limit=1', location), {
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    if (response.ok) return location;
  } catch {
    // Without the API, only the log's files are audited.
  }
  note('checkpoints are not listed there: only the newest ones are checked');
  return null;
}
