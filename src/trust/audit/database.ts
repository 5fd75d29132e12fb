import type { Clock } from '../../platform/clock.ts';
import { Failure } from '../../platform/failure.ts';
import type { Connection } from '../../platform/store/connection.ts';
import { keyLogProblems, type PlacedEntry } from '../../platform/tlog/key-log.ts';
import { type Finding, messageOf } from '../../proof/log/finding.ts';
import { HASH_BYTES } from '../../proof/log/merkle.ts';
import { LOG_NAMES, originOf } from '../../proof/log/names.ts';
import { newestEvidence } from '../evidence/stretch.ts';
import { keyLeavesOf } from '../keys/leaves.ts';
import { allKeys } from '../keys/service.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater } from '../log/high-water.ts';
import { allLogs, FIRST_LEAF, type LogRow } from '../log/logs.ts';
import { sizeOf } from '../log/tree.ts';
import { derivedFindings } from './derived.ts';
import { checkKeyLeaf, keyRowFindings, keyStandingFindings } from './keys.ts';
import { logFindings } from './logs.ts';
import { type Keys, keysOf } from './receipts.ts';
import { auditSql } from './store.ts';
import type { Report, Task } from './stretches.ts';
import { TreeAudit } from './tree.ts';

/** Looks at stretches and reports in their order. */
export interface Examiner {
  reports(tasks: Iterable<Task>): AsyncIterable<Report>;
}

/** What was looked at. */
export interface Examined {
  receipts: number;
  leaves: number;
  checkpoints: number;
  /** Items of evidence. */
  evidence: number;
  /** Signatures that were verified: of versions, checkpoints, key log entries, and by agents. */
  signatures: number;
}

/** What the database had when the audit began: what comes later is left to the next. */
interface Bounds {
  keys: Keys;
  /** Those with a name that there is have leaves to look at. */
  logs: LogRow[];
  named: LogRow[];
  receipts: number;
  checkpoints: number;
  evidence: number;
  /** How many there are of each name. */
  leaves: Record<LogRow['name'], number>;
}

/** What the audit says as it goes on: something is wrong, or so much is done. */
export type Step = { finding: Finding } | { done: number; of: number; examined: Examined };

/** So many rows are looked at in one read. */
const STRETCH = 1024;

/**
 * Looks at everything in a trust database that can be proven: keys, receipts, leaves, trees, checkpoints and the mark of what was
 * published. Says what it finds in this order, and never holds more than a few stretches.
 *
 * @param directory the data directory, for the mark
 * @param clock tells which checkpoints are dated in the future
 */
export async function* auditDatabase(
  connection: Connection,
  directory: string,
  examiner: Examiner,
  clock: Clock,
): AsyncGenerator<Step> {
  try {
    yield* stepsOf(connection, directory, examiner, clock);
  } catch (error) {
    // What no row can be made of is damage as well, such as a table that begins at another's page.
    if (error instanceof Failure) throw error;
    yield { finding: { table: 'database', row: {}, what: `cannot be read: ${messageOf(error)}` } };
  }
}

async function* stepsOf(
  connection: Connection,
  directory: string,
  examiner: Examiner,
  clock: Clock,
): AsyncGenerator<Step> {
  const examined: Examined = { receipts: 0, leaves: 0, checkpoints: 0, evidence: 0, signatures: 0 };
  const before = markOf(directory);
  if ('finding' in before) yield before;
  const bounds = connection.sqlite.transaction(() => boundsOf(connection))();
  const after = markOf(directory);
  const keyLog = keyLogOf(connection, bounds);
  examined.signatures += keyLog.signatures;
  for (const finding of [...keyLog.findings, ...logRowFindings(connection, bounds, clock)]) yield { finding };
  const marks = { before: 'mark' in before ? before.mark : null, after: 'mark' in after ? after.mark : null };
  yield* stretches(connection, examiner, bounds, keyLog.hashes, marks.before, examined);
  const ofMark = 'finding' in before ? [] : markFindings(connection, bounds, marks.before, marks.after);
  for (const finding of [...ofMark, ...derivedFindings(connection)]) yield { finding };
}

function boundsOf(connection: Connection): Bounds {
  const sql = auditSql({ connection });
  const logs = allLogs({ connection });
  const named = logs.filter(({ name }) => LOG_NAMES.includes(name));
  const leaves = (name: LogRow['name']): number => sizeOf({ connection }, { name });
  return {
    keys: keysOf(allKeys({ connection })),
    logs,
    named,
    receipts: Math.max(sql.newestReceipt.get()?.seq ?? 0, sql.newestVersion.get()?.seq ?? 0),
    checkpoints: sql.newestCheckpoint.get()?.seq ?? 0,
    evidence: newestEvidence({ connection }),
    leaves: { receipts: leaves('receipts'), keys: leaves('keys'), revocations: leaves('revocations') },
  };
}

function logRowFindings(connection: Connection, { logs }: Bounds, clock: Clock): Finding[] {
  const sql = auditSql({ connection });
  return logFindings(
    logs.map((log) => ({
      log,
      first: sql.firstCheckpoint.get({ logSeq: log.logSeq }),
      last: sql.lastCheckpoint.get({ logSeq: log.logSeq }),
    })),
    clock,
  );
}

/** The key log whole: its entries are as many as keys were changed. */
function keyLogOf(connection: Connection, { keys, named, leaves }: Bounds) {
  const findings = keyRowFindings(keys);
  const hashes: Uint8Array[] = [];
  const entries: PlacedEntry[] = [];
  const log = named.findLast(({ name }) => name === 'keys');
  if (log === undefined) return { findings, signatures: 0, hashes };
  const rows = keyLeavesOf({ connection }, 0, leaves.keys);
  for (let index = 0; index < leaves.keys; index++) {
    const leafSeq = FIRST_LEAF + index;
    const leaf = rows.find((row) => row.leafSeq === leafSeq);
    const place = { log: log.origin, index };
    if (leaf === undefined) {
      findings.push({ table: 'key_leaf', row: { leaf_seq: leafSeq }, ...place, what: 'it is not there' });
      continue;
    }
    const checked = checkKeyLeaf(leaf, keys, place);
    findings.push(...checked.findings);
    hashes.push(checked.hash);
    if (checked.entry !== null) entries.push({ entry: checked.entry, index });
  }
  findings.push(
    ...keyLogProblems(entries).map(({ index, what }) => ({
      table: 'key_leaf',
      row: { leaf_seq: FIRST_LEAF + index },
      log: log.origin,
      index,
      what,
    })),
    ...keyStandingFindings(keys, { origin: log.origin, entries }),
  );
  const signatures = entries.reduce((sum, { entry }) => sum + entry.signatures.length, 0);
  return { findings, signatures, hashes };
}

async function* stretches(
  connection: Connection,
  examiner: Examiner,
  bounds: Bounds,
  keyHashes: readonly Uint8Array[],
  mark: HighWater | null,
  examined: Examined,
): AsyncGenerator<Step> {
  const sent: Task[] = [];
  const tasks = function* (): Generator<Task> {
    for (const task of tasksOf(bounds)) {
      sent.push(task);
      yield task;
    }
  };
  const leaves = bounds.leaves.receipts + bounds.leaves.revocations;
  // A receipt has about two signatures, which cost ten times what a leaf does.
  const of = bounds.receipts * 20 + (bounds.checkpoints + bounds.evidence) * 30 + leaves;
  let done = 0;
  const trees = bounds.named.map((log) => treeOf(connection, bounds, log, mark));
  const appended = function* (name: LogRow['name'], hash: Uint8Array): Generator<Step> {
    for (const tree of trees) {
      if (tree.log.name === name) for (const finding of tree.append(hash)) yield { finding };
    }
  };
  for (const hash of keyHashes) {
    yield* appended('keys', hash);
    examined.leaves++;
  }
  for await (const report of examiner.reports(tasks())) {
    const task = sent.shift();
    for (const finding of report.findings) yield { finding };
    examined.signatures += report.signatures;
    if (task?.kind === 'receipts') {
      examined.receipts += report.rows;
      done += (task.reach - task.after) * 20;
    } else if (task?.kind === 'checkpoints') {
      examined.checkpoints += report.rows;
      done += (task.reach - task.after) * 30;
    } else if (task?.kind === 'evidence') {
      examined.evidence += report.rows;
      done += (task.reach - task.after) * 30;
    } else if (task?.kind === 'leaves') {
      examined.leaves += report.rows;
      done += task.to - task.from;
      for (let at = 0; at < report.hashes.length; at += HASH_BYTES) {
        yield* appended(task.name, report.hashes.slice(at, at + HASH_BYTES));
      }
    }
    yield { done, of, examined };
  }
  for (const tree of trees) for (const finding of tree.end()) yield { finding };
  for (const { tileSeq } of auditSql({ connection }).tilesOfNone.all()) {
    const row = { tile_seq: tileSeq };
    yield { finding: { table: 'log_tile', row, what: 'name is none that a log has' } };
  }
}

/** The tasks in the order in which what they find is told. */
function* tasksOf({ receipts, checkpoints, evidence, named, leaves }: Bounds): Generator<Task> {
  for (let after = 0; after < receipts; after += STRETCH) {
    yield { kind: 'receipts', after, reach: Math.min(after + STRETCH, receipts) };
  }
  for (let after = 0; after < checkpoints; after += STRETCH) {
    yield { kind: 'checkpoints', after, reach: Math.min(after + STRETCH, checkpoints) };
  }
  for (let after = 0; after < evidence; after += STRETCH) {
    yield { kind: 'evidence', after, reach: Math.min(after + STRETCH, evidence) };
  }
  for (const name of ['receipts', 'revocations'] as const) {
    const log = named.findLast((known) => known.name === name);
    if (log === undefined) continue;
    for (let from = 0; from < leaves[name]; from += STRETCH) {
      yield { kind: 'leaves', name, log, from, to: Math.min(from + STRETCH, leaves[name]) };
    }
  }
}

function treeOf(connection: Connection, bounds: Bounds, log: LogRow, mark: HighWater | null): TreeAudit {
  const published = mark !== null && isOf(mark, log) ? mark.logs[log.name] : null;
  return new TreeAudit({ connection }, log, bounds.checkpoints, published);
}

function isOf({ origin }: HighWater, log: LogRow): boolean {
  return originOf(origin, log.name) === log.origin;
}

/** The mark of what was published, or why there is none that could be read. */
function markOf(directory: string): { mark: HighWater | null } | { finding: Finding } {
  try {
    return { mark: readHighWater(directory) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { finding: { table: HIGH_WATER_FILE, row: {}, what: error.message } };
  }
}

/** What the mark says of the open logs beside their trees: that it is there, is theirs, and not older than their checkpoints. */
function markFindings(
  connection: Connection,
  { logs, named, checkpoints }: Bounds,
  before: HighWater | null,
  after: HighWater | null,
): Finding[] {
  const file = { table: HIGH_WATER_FILE, row: {} };
  if (logs.length === 0)
    return before === null
      ? []
      : [{ ...file, what: 'it says that a log was published, and the database has none' }];
  const mark = after ?? before;
  if (mark === null && checkpoints === 0) return [];
  if (mark === null)
    return [{ ...file, what: 'it is missing: nothing says how much of the log was published' }];
  const open = named.filter(({ closedSize }) => closedSize === null);
  const siblings = open.some((log) => newestSize(connection, log, checkpoints) !== null);
  return open.flatMap((log) => {
    if (!isOf(mark, log)) {
      return [
        {
          ...file,
          log: log.origin,
          what: 'it is of another log',
          expected: log.origin,
          found: originOf(mark.origin, log.name),
        },
      ];
    }
    const newest = newestSize(connection, log, checkpoints);
    const published = mark.logs[log.name].tree_size;
    if (newest === null) return missing(log, published, siblings);
    if (newest <= published) return [];
    const values = { expected: `${newest} or more leaves`, found: `${published}` };
    return [{ ...file, log: log.origin, what: 'it is older than the newest checkpoint', ...values }];
  });
}

/** The size of a log's newest checkpoint; null where it has none. */
function newestSize(connection: Connection, { logSeq }: LogRow, reach: number): number | null {
  return auditSql({ connection }).newestOf.get({ logSeq, reach })?.size ?? null;
}

/**
 * An open log without any checkpoint. A newest one below the mark may be what a backup had, whose leaves a copy brought back; but
 * logs that are opened together publish their first ones together, of whatever size.
 */
function missing(log: LogRow, published: number, haveSiblings: boolean): Finding[] {
  if (published === 0 && !haveSiblings) return [];
  const found = 'none';
  const expected = `one of up to ${published} leaves, or more`;
  const what = 'the log has no checkpoint, and was published';
  return [{ table: 'checkpoint', row: {}, log: log.origin, what, expected, found }];
}
