import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { Failure } from '../../platform/failure.ts';
import { systemClock } from '../../platform/time/clock.ts';
import { GrowingTree } from '../../platform/tlog/growing-tree.ts';
import { bundlesOf, type LogSource } from '../../platform/tlog/source.ts';
import { equalBytes } from '../../proof/encoding/equal-bytes.ts';
import { bytesToHex } from '../../proof/encoding/hex.ts';
import { parseCheckpoint } from '../../proof/log/checkpoint.ts';
import {
  commonOf,
  isOriginOf,
  KEYS_FIRST,
  type LogName,
  mapLogs,
  originOf,
} from '../../proof/log/log-names.ts';
import { leafHash } from '../../proof/log/merkle.ts';
import { NoteError, parseNote } from '../../proof/log/note.ts';
import { type OpenedCheckpoint, openCheckpoint } from '../../proof/log/note-signature.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { TILE_WIDTH, tilePath } from '../../proof/log/tiles.ts';
import { CheckpointList, type ListedRoot } from './checkpoint-list.ts';
import { continuationProblems } from './continued-logs.ts';
import { budgeted, FetchBudget } from './fetch-budget.ts';
import { entryDateCheck } from './history/entry-dates.ts';
import { EntryHistory, type EntryProblem } from './history/history.ts';
import type { ReadLog } from './history/missing.ts';
import { ageOf, isOfItsTime, secondsIn, statedSeconds } from './keys/freshness.ts';
import { KeyLogState, refuseManyKeys } from './keys/key-log-state.ts';
import { type LogKey, requireKeyLogKey, type TrustedLogKeys, unique, verifiersOf } from './keys/log-keys.ts';

/** The counts of a remote audit. */
export interface RemoteCounts {
  entries: number;
  tiles: number;
  checkpoints: number;
  signatures: number;
}

/** The newest checkpoint of a log. */
export interface NewestCheckpoint {
  log: string;
  tree_size: number;
  /** Its age by the time in its signature; null when it has none. */
  age_seconds: number | null;
  /** True if a working log would have signed a newer checkpoint. */
  isLate: boolean;
}

export type RemoteStep =
  | { problem: Problem }
  | { seen: RemoteCounts; share: number; newest?: NewestCheckpoint };

/**
 * Audits an installation's logs from public data: compares every entry, every tile and every listed
 * checkpoint with the newest checkpoints. A trusted key that the key log does not report as compromised must
 * have signed these.
 *
 * @param api the service that lists checkpoints; null when there are only files
 * @param now the Unix time in milliseconds
 * @param budget for the downloads
 * @throws Failure for unreadable data, beyond the budget, and for a newest checkpoint without a trusted key
 */
export async function* auditRemote(
  unlimited: LogSource,
  api: URL | null,
  trusted: TrustedLogKeys,
  now: number = systemClock.now(),
  budget: FetchBudget = new FetchBudget(),
): AsyncGenerator<RemoteStep> {
  const history = EntryHistory.temporary();
  try {
    yield* auditLogs(unlimited, api, trusted, { now, budget, history });
  } finally {
    history.close();
  }
}

async function* auditLogs(
  unlimited: LogSource,
  api: URL | null,
  trusted: TrustedLogKeys,
  { now, budget, history }: { now: number; budget: FetchBudget; history: EntryHistory },
): AsyncGenerator<RemoteStep> {
  const source = budgeted(unlimited, budget);
  const seen: RemoteCounts = { entries: 0, tiles: 0, checkpoints: 0, signatures: 0 };
  requireKeyLogKey(trusted.keys);
  const known = new KeyLogState();
  const read = mapLogs((): ReadLog => ({ size: 0, seconds: null }));
  const common = trusted.origin ?? commonIn(await source.read('keys/checkpoint'), source.location);
  for (const name of KEYS_FIRST) {
    if (!known.hasLog(name)) continue;
    const origin = originOf(common, name);
    const base = { table: 'checkpoint', row: {}, log: origin };
    // Reads the list before the newest checkpoint, which then covers all listed ones.
    const list = api === null ? null : new CheckpointList(api, name, seen, budget);
    if (list !== null) {
      for await (const problem of list.read(origin, verifiersOf(everKeys(trusted.keys, known), origin)))
        yield problem === null ? { seen, share: 0 } : { problem };
    }
    const note = await source.read(`${name}/checkpoint`);
    const stated = originIn(note, source.location);
    if (stated !== origin) {
      yield {
        problem: {
          ...base,
          what: 'the newest checkpoint is of another log',
          expected: origin,
          found: stated,
        },
      };
      continue;
    }
    const opened = openNewest(note, presentKeys(trusted.keys, known), {
      origin,
      location: source.location,
      known,
      now,
    });
    const { checkpoint } = opened;
    if (name === 'keys') refuseManyKeys(checkpoint);
    seen.signatures += opened.checks.length;
    yield* treeSteps(source, name, origin, checkpoint, {
      known,
      history,
      seen,
      listed: list?.roots ?? new Map(),
      covered: statedSeconds(opened.checks),
    });
    read[name] = { size: checkpoint.size, seconds: statedSeconds(opened.checks) };
    // Compromised keys are known only after reading the key log, so its checkpoint is verified again.
    const keys = presentKeys(trusted.keys, known);
    if (name === 'keys' && !keys.some(({ log }) => log === 'keys')) throw noKeyLeft(source.location);
    openNewest(note, keys, { origin, location: source.location, known, now });
    if (name === 'keys')
      for (const problem of known.datedAfter(secondsIn(Buffer.from(note).toString(), origin, keys), 0))
        yield { problem: { table: 'entry', row: {}, log: origin, ...problem } };
    for (const problem of list?.rest(origin, verifiersOf(everKeys(trusted.keys, known), origin)) ?? [])
      yield { problem };
    if (list !== null && !(await list.has(checkpoint)))
      yield { problem: { ...base, what: 'the newest checkpoint is not listed' } };
    const { seconds, problem, isLate } = ageOf(Buffer.from(note).toString(), origin, { keys, known }, now);
    if (problem !== null && !isLate) yield { problem: { ...base, what: `the newest checkpoint ${problem}` } };
    yield {
      seen,
      share: 1,
      newest: { log: origin, tree_size: checkpoint.size, age_seconds: seconds, isLate },
    };
  }
  const stepOf = (name: LogName, { index, what }: EntryProblem): RemoteStep => ({
    problem: { table: 'entry', row: {}, log: originOf(common, name), index, what },
  });
  const { size, seconds } = read.receipts;
  yield* known.sizesBeyond(size, seconds).map((problem) => stepOf('keys', problem));
  const sizes = mapLogs((name) => read[name].size);
  const continuations = await continuationProblems(source, common, known.closedLogs(), sizes);
  yield* continuations.map((problem) => stepOf('keys', problem));
  for (const problem of await history.compare(source, read)) yield stepOf(problem.log, problem);
}

interface Context {
  known: KeyLogState;
  history: EntryHistory;
  seen: RemoteCounts;
  /** When the newest checkpoint was signed, in seconds since 1970; null if it has no time. */
  covered: number | null;
  /** The listed roots by tree size. */
  listed: ReadonlyMap<number, ListedRoot[]>;
}

async function* treeSteps(
  source: LogSource,
  name: LogName,
  origin: string,
  checkpoint: { size: number; root: Uint8Array },
  { known, history, seen, listed, covered }: Context,
): AsyncGenerator<RemoteStep> {
  const tree = GrowingTree.empty();
  const base = { log: origin };
  const { size } = checkpoint;
  const dateProblem = name === 'keys' ? () => null : entryDateCheck(name, { before: null, covered });
  const stepOf = (problem: EntryProblem): RemoteStep => ({
    problem: { table: 'entry', row: {}, ...base, ...problem },
  });
  const rootsHere = (): Problem[] => {
    const roots = listed.get(tree.size);
    if (roots === undefined) return [];
    const expected = bytesToHex(tree.root());
    return roots
      .filter(({ root }) => root !== expected)
      .map(({ id, root }) => ({
        table: 'checkpoint',
        row: {},
        id,
        ...base,
        what: `root_hash does not match the first ${tree.size} entries`,
        expected,
        found: root,
      }));
  };
  for (const problem of rootsHere()) yield { problem };
  for await (const { start, entries } of bundlesOf(source, name, 0, size)) {
    for (const [at, entry] of entries.entries()) {
      const index = start + at;
      const { verified } = known;
      const checked = name === 'keys' ? null : known.check(name, entry, index);
      const entryProblem =
        (name === 'keys'
          ? known.take(entry, index)
          : (checked?.problem ?? history.take(name, entry, index))) ?? dateProblem(entry);
      seen.signatures += known.verified - verified;
      if (entryProblem !== null) yield stepOf({ index, what: entryProblem });
      const finalizes = checked?.finalizes ?? null;
      if (finalizes !== null) {
        const problems = history.finalize(finalizes, index);
        // Delegating to an empty list takes longer than looking at its length.
        if (problems.length > 0) yield* problems.map(stepOf);
      }
      for (const { level, index: tile, hashes } of tree.append(leafHash(nativePrimitives, entry))) {
        const problem = await tileProblem(source, name, origin, tilePath(level, tile), hashes);
        seen.tiles++;
        if (problem !== null) yield { problem };
      }
      for (const problem of rootsHere()) yield { problem };
      seen.entries++;
    }
    yield { seen, share: tree.size / size };
  }
  yield* history.settle().map(stepOf);
  for (const [level, hashes] of tree.edge().entries()) {
    if (hashes.length === 0) continue;
    const tile = Math.floor(size / TILE_WIDTH ** (level + 1));
    const problem = await tileProblem(source, name, origin, tilePath(level, tile, hashes.length), hashes);
    seen.tiles++;
    if (problem !== null) yield { problem };
  }
  if (!equalBytes(tree.root(), checkpoint.root)) {
    const values = { expected: bytesToHex(tree.root()), found: bytesToHex(checkpoint.root) };
    yield {
      problem: {
        table: 'checkpoint',
        row: {},
        ...base,
        what: `the root of the newest checkpoint does not match its ${size} entries`,
        ...values,
      },
    };
  }
  if (name !== 'keys') return;
  yield* known.problems(0, commonOf({ origin, name })).map(stepOf);
  seen.signatures += known.all().reduce((sum, { entry }) => sum + entry.signatures.length, 0);
}

async function tileProblem(
  source: LogSource,
  name: LogName,
  log: string,
  path: string,
  hashes: readonly Uint8Array[],
): Promise<Problem | null> {
  const base = { table: 'tile', row: {}, id: path, log };
  let bytes: Uint8Array;
  try {
    bytes = await source.read(`${name}/${path}`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { ...base, what: `it cannot be read: ${error.message}` };
  }
  if (equalBytes(bytes, Buffer.concat([...hashes]))) return null;
  return { ...base, what: 'its hashes do not match the entries' };
}

/** Opens the newest checkpoint. @throws Failure unless one of the keys signed it while it was allowed to */
function openNewest(
  note: Uint8Array,
  keys: readonly LogKey[],
  { origin, location, known, now }: { origin: string; location: string; known: KeyLogState; now: number },
): OpenedCheckpoint {
  try {
    const opened = openCheckpoint(nativePrimitives, note, verifiersOf(keys, origin));
    if (isOfItsTime(opened.checks, keys, known, now)) return opened;
    throw new NoteError('the keys that signed it were retired before its time');
  } catch (error) {
    throw new Failure(
      `the newest checkpoint of ${origin} in ${location} is not trusted: ${error instanceof Error ? error.message : String(error)}`,
      'check that the log keys are the right ones; nothing else was checked',
    );
  }
}

function noKeyLeft(location: string): Failure {
  return new Failure(
    `the key log in ${location} says that all the log keys that were trusted were compromised`,
    'get the current ones in a way that you trust, and pass them with --log-key',
  );
}

function originIn(note: Uint8Array, location: string): string {
  try {
    return parseCheckpoint(parseNote(note).text).origin;
  } catch (error) {
    throw new Failure(
      `${location} does not return a checkpoint: ${error instanceof Error ? error.message : String(error)}`,
      'specify the address of the logs, up to and including /log',
    );
  }
}

/** Returns the common origin of the logs, from the key log's checkpoint. @throws Failure */
function commonIn(note: Uint8Array, location: string): string {
  const origin = originIn(note, location);
  if (isOriginOf(origin, 'keys')) return commonOf({ origin, name: 'keys' });
  throw new Failure(
    `the key log in ${location} is named ${JSON.stringify(origin.slice(0, 255))}, which is not the name of a key log`,
    'specify the address of the logs, up to and including /log',
  );
}

/** Returns the keys that may sign a newest checkpoint: all except compromised ones. */
function presentKeys(trusted: readonly LogKey[], known: KeyLogState): LogKey[] {
  return everKeys(trusted, known).filter(({ publicKey }) => known.endOf(publicKey)?.event !== 'compromised');
}

/**
 * Returns all keys, including ended ones, for old checkpoints, whose trees the newest checkpoint verifies.
 */
function everKeys(trusted: readonly LogKey[], known: KeyLogState): LogKey[] {
  return unique([...trusted, ...known.logKeys()]);
}
