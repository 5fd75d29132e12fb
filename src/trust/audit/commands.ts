import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../platform/clock.ts';
import { addFlags, settled } from '../../platform/config/command-line.ts';
import { requireService } from '../../platform/control/perform.ts';
import { DataDirectoryError, DirectoryInUse, takeDataDirectory } from '../../platform/data-directory.ts';
import { asFailure, Failure } from '../../platform/failure.ts';
import { isUrl } from '../../platform/fetching.ts';
import { jsonLine, printable, writeOut } from '../../platform/output.ts';
import { grouped, Progress } from '../../platform/progress.ts';
import { openMigrated } from '../../platform/store/migrations.ts';
import { logSource } from '../../platform/tlog/source.ts';
import { trustDatabase } from '../database.ts';
import { trustSettings, trustSettingsTable } from '../settings.ts';
import { ExaminerCrew } from './examiners.ts';
import { FETCH_LIMITS, FetchBudget, type FetchLimits } from './fetch-budget.ts';
import { type Finding, sentenceOf } from './finding.ts';
import { type Difference, fsck } from './fsck.ts';
import { KEYS_FILE } from './held-keys.ts';
import { namedLogKeys, serviceLogKeys } from './log-keys.ts';
import { Monitor } from './monitor.ts';
import { auditFromOutside, type NewestFromOutside, type SeenFromOutside } from './outside.ts';

/** How much is taken of a service. */
interface LimitOptions {
  maxDownload: number;
  maxSeconds: number;
}

interface FsckOptions extends LimitOptions {
  all?: boolean;
  logKey?: string[];
}

interface MonitorOptions extends LimitOptions {
  state: string;
  once?: boolean;
  interval: number;
  logKey?: string[];
}

const UNLIMITED: FetchLimits = {
  mebibytes: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
};

/** After failures in a row a monitor waits longer and longer, up to this. */
const LONGEST_WAIT_MS = 900_000;
/** Whoever has read of so many has seen enough; a hostile log could go on for ever. */
const DIFFERENCES_MAX = 10_000;
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
      'a data directory (the configured one if none is named), the directory of a monitor, or the URL of a service or of where its /log lies',
    );
  return addFlags(command, [trustSettings.data, trustSettings.config])
    .option('--all', 'tell every difference, not the first alone; of a URL, 10,000 at most')
    .option(...LOG_KEY, collected)
    .addOption(maxDownload('what is fetched of a URL at most, in MiB'))
    .addOption(maxSeconds('how long the audit of a URL may take'))
    .addHelpText(
      'after',
      `
Of a data directory it reads the database as it is, on all cores, and writes nothing: every version
of every receipt, every leaf, tile and checkpoint of every log, the key log, the mark of what was
published, counts, indexes and triggers. Of a URL, what anybody can see: every entry and tile, and all
checkpoints that are listed. Of a monitor's directory, the copy, by the keys that are kept in it.
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
    .addOption(maxDownload('what is fetched in 24 hours at most, in MiB; the copy takes about as much disk'))
    .addOption(maxSeconds('how long a round may take'))
    .addHelpText(
      'after',
      `
Every round is a line of JSON on stdout. Exit 2 when the log has told two stories: both notes are then
in the directory. An entry that is wrong is read once: what is wrong with it stands in problems.jsonl in
the directory, and is told of (told_before) with exit 1 until you have looked into it and removed the file.
Without --log-key the first run takes the log's keys from the service; they are held from then on, and
change only as the key log says. The copy is what countersign recover --from-tiles takes, and what
countersign fsck DIRECTORY reads again from end to end.`,
    )
    .action(runMonitor);
}

async function runFsck(place: string | undefined, options: FsckOptions, command: Command): Promise<void> {
  const { config } = settled(command, trustSettingsTable);
  const data = resolve(place ?? trustSettings.data.in(config));
  if (isCopy(data)) {
    await fsckFromOutside(data, options, data);
    return;
  }
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
    await writeOut(jsonLine(outcome));
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

async function fsckFromOutside(
  place: string,
  { all, logKey = [], ...limits }: FsckOptions,
  copy: string | null = null,
): Promise<void> {
  const source = logSource(place);
  // A copy on this machine was limited when it was made.
  const budget = new FetchBudget(copy === null ? limitsOf(limits) : UNLIMITED);
  const kept = copy === null ? [] : [join(copy, KEYS_FILE)].filter((path) => existsSync(path));
  const named = [...logKey, ...kept];
  const trusted = named.length > 0 || copy !== null ? await namedLogKeys(named) : await serviceLogKeys(place);
  if (named.length === 0 && copy === null)
    note(
      'the log keys were taken from the service itself: this shows no more than that it does not contradict itself',
    );
  const progress = new Progress(process.stderr, 'entries');
  const api = copy === null ? await apiOf(new URL(place)) : null;
  let seen: SeenFromOutside = { entries: 0, tiles: 0, checkpoints: 0, signatures: 0 };
  const newest: NewestFromOutside[] = [];
  let differences = 0;
  try {
    for await (const step of auditFromOutside(source, api, trusted, systemClock.now(), budget)) {
      if ('finding' in step) {
        differences++;
        await tell({ ...step.finding, sentence: sentenceOf(step.finding) }, progress);
        if (all !== true) break;
        if (differences >= DIFFERENCES_MAX) {
          note(`no more than ${grouped(DIFFERENCES_MAX)} differences are told`);
          break;
        }
      } else {
        ({ seen } = step);
        if (step.newest !== undefined) newest.push(step.newest);
        progress.at(seen.entries + seen.checkpoints, step.share);
      }
    }
    progress.clear();
    const told = newest.map(({ isLate: _, ...checkpoint }) => checkpoint);
    await writeOut(jsonLine({ whole: differences === 0, differences, examined: seen, newest: told }));
    for (const checkpoint of newest) tellAge(checkpoint);
    conclude(
      progress,
      differences,
      `${grouped(seen.entries)} entries, ${grouped(seen.tiles)} tiles, ${grouped(seen.checkpoints)} checkpoints`,
    );
  } finally {
    progress.clear();
  }
}

/** What is whole may be old: whoever withholds the newest shows what was true once. */
function tellAge({ log, age_seconds: age, isLate }: NewestFromOutside): void {
  if (age === null)
    note(`nobody knows how old the newest checkpoint of ${log} is: no signature states a time`);
  else if (isLate)
    note(
      `the newest checkpoint of ${log} is ${grouped(Math.floor(age / 60))} minutes old, and a log signs anew every 10`,
    );
}

/** Whether a directory is what a monitor keeps, and no service's. */
function isCopy(directory: string): boolean {
  return (
    existsSync(join(directory, 'keys', 'checkpoint')) && !existsSync(join(directory, trustDatabase.name))
  );
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
  await writeOut(jsonLine(difference));
  process.stderr.write(`${printable(difference.sentence)}\n`);
}

function conclude(progress: Progress, differences: number, looked: string): void {
  const count = `${grouped(differences)} ${differences === 1 ? 'difference' : 'differences'}`;
  progress.end(differences === 0 ? `whole: ${looked}.` : `not whole: ${count}.`);
  if (differences > 0) process.exitCode = 1;
}

async function runMonitor(
  place: string,
  { state, once, interval, logKey = [], ...limits }: MonitorOptions,
): Promise<void> {
  if (!isUrl(place) || !URL.canParse(place))
    throw new Failure(
      `${place.slice(0, 255)} is no URL`,
      'name the service, such as https://trust.example',
      2,
    );
  const directory = resolve(state);
  const { release } = stateDirectory(directory);
  const progress = new Progress(process.stderr, 'entries');
  const hearing = {
    say: note,
    progress: (count: number, share: number) => progress.at(count, share),
  };
  try {
    const monitor = new Monitor(directory, logSource(place), logKey, systemClock, hearing, limitsOf(limits));
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
  const { length } = round.told_before;
  if (length > 0) {
    const what = length === 1 ? '1 problem was told before' : `${length} problems were told before`;
    say('warning', `${what}, such as: ${round.told_before[0]}`);
    say('hint', `remove ${monitor.problemFile} once it is looked into`);
  }
  if (failure === null) return round.problems.length + length === 0 ? 'well' : 'problems';
  if (failure.exitCode === 2) throw failure;
  const again = waitMs === null ? '' : `; tried again in ${Math.ceil(waitMs / 1000)} s`;
  say('error', `${failure.message}${again}`);
  if (failure.hint !== null) say('hint', failure.hint);
  return 'failed';
}

function stateDirectory(path: string) {
  try {
    return takeDataDirectory(path);
  } catch (error) {
    if (!(error instanceof DataDirectoryError)) throw error;
    if (!(error instanceof DirectoryInUse)) throw new Failure(error.message, 'name another with --state');
    throw new Failure(
      `another countersign works on ${path}`,
      'one monitor keeps a copy; name another directory with --state',
    );
  }
}

function note(sentence: string): void {
  say('note', sentence);
}

function say(kind: 'note' | 'warning' | 'error' | 'hint', sentence: string): void {
  process.stderr.write(`countersign: ${kind}: ${printable(sentence)}\n`);
}

function limitsOf({ maxDownload, maxSeconds }: LimitOptions): FetchLimits {
  return { mebibytes: maxDownload, seconds: maxSeconds };
}

function maxDownload(description: string): Option {
  return new Option('--max-download <MiB>', description)
    .default(FETCH_LIMITS.mebibytes)
    .argParser((text) => wholeNumber(text, 'The most that is fetched is whole MiB, 1 or more.'));
}

function maxSeconds(description: string): Option {
  return new Option('--max-seconds <seconds>', description)
    .default(FETCH_LIMITS.seconds)
    .argParser((text) => wholeNumber(text, 'The longest time is whole seconds, 1 or more.'));
}

function wholeNumber(text: string, complaint: string): number {
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError(complaint);
}

function collected(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function seconds(text: string): number {
  const number = Number(text);
  if (/^\d{1,6}$/.test(text) && number >= 1) return number;
  throw new InvalidArgumentError('An interval is whole seconds, 1 or more.');
}
