import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DataDirectoryError, DirectoryInUse, takeWritableDirectory } from '../../platform/data-directory.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { isUrl } from '../../platform/network/fetch.ts';
import { jsonLine, writeOut } from '../../platform/terminal/output.ts';
import { Progress } from '../../platform/terminal/progress.ts';
import { shellWord } from '../../platform/terminal/shell-word.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { logSource } from '../../platform/tlog/source.ts';
import { Monitor } from './monitor.ts';
import { note, say } from './notes.ts';
import { type LimitOptions, limitsOf } from './options.ts';

/** The maximum of the exponential backoff after consecutive failures. */
const LONGEST_WAIT_MS = 900_000;

/** The options of the command line. */
export interface MonitorOptions extends LimitOptions {
  state: string;
  once?: boolean;
  interval: number;
  logKey?: string[];
}

/**
 * Monitors the logs at a URL in rounds, and writes the report of each round.
 * @throws Failure for an equivocation, and for errors that a retry cannot resolve
 */
export async function runMonitor(
  location: string,
  { state, once, interval, logKey = [], ...limits }: MonitorOptions,
): Promise<void> {
  if (!isUrl(location) || !URL.canParse(location))
    throw new Failure(
      `${location.slice(0, 255)} is not a URL`,
      'pass the URL of the service, such as https://trust.example',
      2,
    );
  const directory = resolve(state);
  const { release } = stateDirectory(directory);
  const progress = new Progress(process.stderr, 'entries');
  const listener = {
    say: note,
    progress: (count: number, share: number) => progress.at(count, share),
  };
  let isNew = !existsSync(join(directory, 'receipts/checkpoint'));
  let monitor: Monitor | null = null;
  try {
    const api = new URL(location);
    const fetchLimits = limitsOf(limits);
    monitor = new Monitor(directory, logSource(location), logKey, systemClock, listener, fetchLimits, api);
    for (let failures = 0; ; ) {
      const wait = Math.min(interval * 1000 * 2 ** failures, Math.max(LONGEST_WAIT_MS, interval * 1000));
      const outcome = await roundOf(monitor, progress, once === true ? null : wait);
      if (isNew && outcome === 'ok') {
        isNew = false;
        note(comparisonHint(directory));
      }
      if (once === true) {
        if (outcome !== 'ok') process.exitCode = 1;
        return;
      }
      failures = outcome === 'failed' ? Math.min(failures + 1, 16) : 0;
      await Bun.sleep(outcome === 'failed' ? wait : interval * 1000);
    }
  } finally {
    progress.clear();
    monitor?.close();
    release();
  }
}

/** Returns the command that compares a copy with that of another monitor. */
function comparisonHint(directory: string): string {
  const command = `countersign fsck ${shellWord(directory)} --with <directory|url>`;
  return `to compare this copy with that of another monitor, which finds a fork: ${command}`;
}

/**
 * Runs one round and writes its report.
 * @throws Failure for an equivocation, and for errors that a retry cannot resolve
 */
async function roundOf(
  monitor: Monitor,
  progress: Progress,
  waitMs: number | null,
): Promise<'ok' | 'problems' | 'failed'> {
  const round = monitor.newRound();
  let failure: Failure | null = null;
  try {
    await monitor.round(round);
  } catch (error) {
    failure = asFailure(error);
  }
  progress.clear();
  await writeOut(jsonLine(failure === null ? round : { ...round, error: failure.message }));
  for (const problem of round.problems) say('warning', problem);
  const { length } = round.known;
  if (length > 0) {
    const reported =
      length === 1 ? '1 problem was reported before' : `${length} problems were reported before`;
    say('warning', `${reported}, such as: ${round.known[0]}`);
    say('hint', `examine the problems, then remove ${monitor.problemFilePath}`);
  }
  if (failure === null) return round.problems.length + length === 0 ? 'ok' : 'problems';
  if (failure.exitCode === 2) throw failure;
  const again = waitMs === null ? '' : `; retrying in ${Math.ceil(waitMs / 1000)} s`;
  say('error', `${failure.message}${again}`);
  if (failure.hint !== null) say('hint', failure.hint);
  return 'failed';
}

function stateDirectory(path: string) {
  try {
    // What it copies is public, so where it is stored is the user's choice.
    return takeWritableDirectory(path, { allowShared: true });
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    if (!(error instanceof DirectoryInUse))
      throw new Failure(error.message, 'pass another directory with --state');
    throw new Failure(
      `another countersign process uses ${path}`,
      'specify another directory with --state: only one monitor can use a copy',
    );
  }
}
