import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../platform/clock.ts';
import { addFlags, settled } from '../../platform/config/command-line.ts';
import { requireService } from '../../platform/control/perform.ts';
import { DirectoryInUse, takeDataDirectory } from '../../platform/data-directory.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { writeOut } from '../../platform/output.ts';
import { grouped, Progress } from '../../platform/progress.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { trustDatabase } from '../database.ts';
import { logSource } from '../log/source.ts';
import { trustSettings, trustSettingsTable } from '../settings.ts';
import { ExaminerCrew } from './examiners.ts';
import { type Finding, sentenceOf } from './finding.ts';
import { type Difference, fsck } from './fsck.ts';
import { namedLogKeys, serviceLogKeys } from './log-keys.ts';
import { Monitor } from './monitor.ts';
import { auditFromOutside, type SeenFromOutside } from './outside.ts';

interface FsckOptions {
  all?: boolean;
  logKey?: string[];
}

interface MonitorOptions {
  state: string;
  once?: boolean;
  interval: number;
  logKey?: string[];
}

/** After failures in a row a monitor waits longer and longer, up to this. */
const LONGEST_WAIT_MS = 900_000;
const LOG_KEY = [
  '--log-key <key|file>',
  "a key that the log's checkpoints have to be signed by, as a verifier key or a file of them; can be given again",
] as const;

/** Audits what is stored. */
export function fsckCommand(): Command {
  const command = new Command('fsck')
    .description(
      'audit all that is signed, chained or logged, beside a running server or without one; exit 0 when whole',
    )
    .argument(
      '[place]',
      'a data directory (the configured one if none is named), or the URL of a service or of where its /log lies',
    );
  return addFlags(command, [trustSettings.data, trustSettings.config])
    .option('--all', 'tell every difference, not the first alone')
    .option(...LOG_KEY, collected)
    .addHelpText(
      'after',
      `
Of a data directory it reads the database as it is, on all cores, and writes nothing: every version
of every receipt, every leaf, tile and checkpoint of every log, the key log, and the mark of what was
published. Of a URL, what anybody can see: every entry and tile, and all checkpoints that are listed.
What differs is on stdout, a line of JSON each, and last a summary; in words on stderr.`,
    )
    .action(async (place: string | undefined, options: FsckOptions, self: Command) => {
      if (place !== undefined && isUrl(place)) await fsckFromOutside(place, options);
      else await runFsck(place, options, self);
    });
}

/** Watches a service's logs from outside. */
export function monitorCommand(): Command {
  return new Command('monitor')
    .description(
      "watch a service's logs, keep a copy of them, and tell when they contradict what they said before",
    )
    .argument('<url>', 'the service, or where /log lies')
    .requiredOption('--state <directory>', 'where the copy is kept')
    .option('--once', 'one round; exit 0 when all is well')
    .option('--interval <seconds>', 'from one round to the next', seconds, 60)
    .option(...LOG_KEY, collected)
    .addHelpText(
      'after',
      `
Every round is a line of JSON on stdout. Exit 2 when the log has told two stories: both notes are then
in the directory. Without --log-key the first run takes the log's keys from the service; they are held
from then on, and change only as the key log says. The copy is what countersign recover --from-tiles takes.`,
    )
    .action(runMonitor);
}

async function runFsck(place: string | undefined, options: FsckOptions, command: Command): Promise<void> {
  const { config } = settled(command, trustSettingsTable);
  const data = resolve(place ?? trustSettings.data.in(config));
  requireService(data, trustDatabase.name);
  // Whoever is being served goes first. Threads that are started later inherit it.
  setPriority(constants.priority.PRIORITY_LOW);
  const file = join(data, trustDatabase.name);
  const connection = openMigrated(file, trustDatabase.schema);
  const examiner = new ExaminerCrew(file, Math.max(navigator.hardwareConcurrency, 1));
  const structure = new ExaminerCrew(file, 1);
  const progress = new Progress(process.stderr, 'signatures');
  const telling = {
    all: options.all === true,
    difference: (difference: Difference) => tell(difference, progress),
    progress: ({ signatures }: { signatures: number }, share: number) => progress.at(signatures, share),
  };
  try {
    const outcome = await fsck(connection, data, { examiner, structure }, telling);
    progress.clear();
    await writeOut(`${JSON.stringify(outcome)}\n`);
    const { receipts, leaves, checkpoints, evidence } = outcome.examined;
    const looked = `${grouped(receipts)} receipts, ${grouped(leaves)} leaves, ${grouped(checkpoints)} checkpoints, ${grouped(evidence)} items of evidence`;
    conclude(progress, outcome.differences, looked);
  } finally {
    progress.clear();
    examiner.end();
    structure.end();
    connection.sqlite.close();
  }
}

async function fsckFromOutside(place: string, { all, logKey = [] }: FsckOptions): Promise<void> {
  const source = logSource(place);
  const trusted = logKey.length > 0 ? await namedLogKeys(logKey) : await serviceLogKeys(place);
  if (logKey.length === 0)
    note(
      'the log keys were taken from the service itself: this shows no more than that it does not contradict itself',
    );
  const progress = new Progress(process.stderr, 'entries');
  const api = await apiOf(new URL(place));
  let seen: SeenFromOutside = { entries: 0, tiles: 0, checkpoints: 0, signatures: 0 };
  let differences = 0;
  try {
    for await (const step of auditFromOutside(source, api, trusted)) {
      if ('finding' in step) {
        differences++;
        await tell({ ...step.finding, sentence: sentenceOf(step.finding) }, progress);
        if (all !== true) break;
      } else {
        ({ seen } = step);
        progress.at(seen.entries, step.share);
      }
    }
    progress.clear();
    await writeOut(`${JSON.stringify({ whole: differences === 0, differences, examined: seen })}\n`);
    conclude(
      progress,
      differences,
      `${grouped(seen.entries)} entries, ${grouped(seen.tiles)} tiles, ${grouped(seen.checkpoints)} checkpoints`,
    );
  } finally {
    progress.clear();
  }
}

/** Where the service lists its checkpoints; null where only the files of a log are. */
async function apiOf(place: URL): Promise<URL | null> {
  if (place.pathname === '/') return place;
  try {
    const response = await fetch(new URL('/api/v1/receipts/checkpoints?limit=1', place), {
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    });
    await response.body?.cancel();
    if (response.ok) return place;
  } catch {
    // Nobody answers there: the files are all that there is.
  }
  note('checkpoints are not listed there: the newest ones alone are looked at');
  return null;
}

async function tell(difference: Finding & { sentence: string }, progress: Progress): Promise<void> {
  progress.clear();
  await writeOut(`${JSON.stringify(difference)}\n`);
  process.stderr.write(`${difference.sentence}\n`);
}

function conclude(progress: Progress, differences: number, looked: string): void {
  const count = `${grouped(differences)} ${differences === 1 ? 'difference' : 'differences'}`;
  progress.end(differences === 0 ? `whole: ${looked}.` : `not whole: ${count}.`);
  if (differences > 0) process.exitCode = 1;
}

async function runMonitor(
  place: string,
  { state, once, interval, logKey = [] }: MonitorOptions,
): Promise<void> {
  if (!isUrl(place))
    throw new Failure(`${place} is no URL`, 'name the service, such as https://trust.example', 2);
  const directory = resolve(state);
  const { release } = stateDirectory(directory);
  const progress = new Progress(process.stderr, 'entries');
  const hearing = {
    say: note,
    progress: (count: number, share: number) => progress.at(count, share),
  };
  try {
    const monitor = new Monitor(directory, logSource(place), logKey, systemClock, hearing);
    for (let failures = 0; ; ) {
      const wait = Math.min(interval * 1000 * 2 ** failures, Math.max(LONGEST_WAIT_MS, interval * 1000));
      const came = await roundOf(monitor, progress, once === true ? null : wait);
      if (once === true) {
        if (came !== 'well') process.exitCode = 1;
        return;
      }
      failures = came === 'failed' ? Math.min(failures + 1, 16) : 0;
      await Bun.sleep(came === 'failed' ? wait : interval * 1000);
    }
  } finally {
    progress.clear();
    release();
  }
}

/** @returns what came of it. @throws Failure for an equivocation, and for what no waiting mends */
async function roundOf(
  monitor: Monitor,
  progress: Progress,
  waitMs: number | null,
): Promise<'well' | 'problems' | 'failed'> {
  try {
    const round = await monitor.round();
    progress.clear();
    await writeOut(`${JSON.stringify(round)}\n`);
    for (const problem of round.problems) process.stderr.write(`countersign: warning: ${problem}\n`);
    return round.problems.length === 0 ? 'well' : 'problems';
  } catch (error) {
    progress.clear();
    const failure = asFailure(error);
    if (failure.exitCode === 2) throw failure;
    await writeOut(
      `${JSON.stringify({ at: new Date(systemClock.now()).toISOString(), error: failure.message })}\n`,
    );
    const again = waitMs === null ? '' : `; tried again in ${Math.ceil(waitMs / 1000)} s`;
    process.stderr.write(`countersign: error: ${failure.message}${again}\n`);
    if (failure.hint !== null) process.stderr.write(`countersign: hint: ${failure.hint}\n`);
    return 'failed';
  }
}

function stateDirectory(path: string) {
  try {
    return takeDataDirectory(path);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new Failure(
      `another countersign works on ${path}`,
      'one monitor keeps a copy; name another directory with --state',
    );
  }
}

function note(sentence: string): void {
  process.stderr.write(`countersign: note: ${sentence}\n`);
}

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function seconds(text: string): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError('An interval is whole seconds, 1 or more.');
}
