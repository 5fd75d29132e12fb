import { SQLiteError } from 'bun:sqlite';
import { Failure } from '../../platform/failure.ts';
import type { Connection } from '../../platform/store/connection.ts';
import { HIGH_WATER_FILE, type HighWater, readHighWater } from '../log/high-water.ts';
import { originOf } from '../log/logs.ts';
import type { Finding } from './finding.ts';
import {
  checkKeyLeaf,
  type KeyLog,
  keyLogProblems,
  keyRowFindings,
  keyStandingFindings,
  type PlacedEntry,
} from './keys.ts';
import { generationsOf, logFindings } from './logs.ts';
import { type Keys, keysOf } from './receipts.ts';
import { auditSql, type LogRow } from './store.ts';
import type { Report, Task } from './stretches.ts';
import { type Extent, extentOf, TreeAudit } from './tree.ts';

/** Looks at stretches and reports in their order. */
export interface Examiner {
  reports(tasks: Iterable<Task>): AsyncIterable<Report>;
}

/** What was looked at. */
export interface Examined {
  receipts: number;
  leaves: number;
  checkpoints: number;
  /** Signatures that were verified: of versions, checkpoints and key log entries. */
  signatures: number;
}

/** What the database had when the audit began: what comes later is left to the next. */
interface Bounds {
  keys: Keys;
  logs: LogRow[];
  receipts: number;
  checkpoints: number;
  leaves: Record<LogRow['name'], number>;
  extents: ReadonlyMap<number, Extent>;
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
 */
export async function* auditDatabase(
  connection: Connection,
  directory: string,
  examiner: Examiner,
): AsyncGenerator<Step> {
  const examined: Examined = { receipts: 0, leaves: 0, checkpoints: 0, signatures: 0 };
  let bounds: Bounds;
  const before = markOf(directory);
  if ('finding' in before) yield before;
  try {
    bounds = connection.sqlite.transaction(() => boundsOf(connection))();
  } catch (error) {
    if (!(error instanceof SQLiteError)) throw error;
    yield { finding: { table: 'database', row: {}, what: `cannot be read: ${error.message}` } };
    return;
  }
  const after = markOf(directory);
  const keyLogs = keyLogsOf(connection, bounds);
  examined.signatures += keyLogs.signatures;
  for (const finding of [...keyLogs.findings, ...logRowFindings(connection, bounds)]) yield { finding };
  const marks = { before: 'mark' in before ? before.mark : null, after: 'mark' in after ? after.mark : null };
  yield* stretches(connection, examiner, bounds, keyLogs.hashes, marks.before, examined);
  if ('finding' in before) return;
  for (const finding of markFindings(connection, bounds, marks.before, marks.after)) yield { finding };
}

function boundsOf(connection: Connection): Bounds {
  const sql = auditSql({ connection });
  const logs = sql.logs.all();
  const newest = {
    receipts: sql.newestLeaf.receipts.get()?.seq ?? 0,
    keys: sql.newestLeaf.keys.get()?.seq ?? 0,
    revocations: sql.newestLeaf.revocations.get()?.seq ?? 0,
  };
  return {
    keys: keysOf(sql.keys.all()),
    logs,
    receipts: Math.max(sql.newestReceipt.get()?.seq ?? 0, sql.newestVersion.get()?.seq ?? 0),
    checkpoints: sql.newestCheckpoint.get()?.seq ?? 0,
    leaves: newest,
    extents: new Map(logs.map((log) => [log.logSeq, extentOf({ connection }, log, newest[log.name])])),
  };
}

function logRowFindings(connection: Connection, { logs }: Bounds): Finding[] {
  const sql = auditSql({ connection });
  return logFindings(
    logs.map((log) => ({
      log,
      first: sql.firstCheckpoint.get({ logSeq: log.logSeq }),
      last: sql.lastCheckpoint.get({ logSeq: log.logSeq }),
    })),
  );
}

/** The key logs whole: their entries are as many as keys were changed. */
function keyLogsOf(connection: Connection, { keys, logs, leaves }: Bounds) {
  const generations = generationsOf(logs);
  const findings = keyRowFindings(keys);
  const hashes = new Map<number, Uint8Array[]>();
  let signatures = 0;
  const known: KeyLog[] = generations.map(({ keys: log, receipts }, number) => {
    const end = generations[number + 1]?.keys.firstLeaf ?? leaves.keys + 1;
    const rows = auditSql({ connection }).keyLeaves.all({ from: log.firstLeaf, to: end });
    const entries: PlacedEntry[] = [];
    const own: Uint8Array[] = [];
    for (let index = 0; index < end - log.firstLeaf; index++) {
      const leafSeq = log.firstLeaf + index;
      const leaf = rows.find((row) => row.leafSeq === leafSeq);
      const place = { log: log.origin, index };
      if (leaf === undefined) {
        findings.push({ table: 'key_leaf', row: { leaf_seq: leafSeq }, ...place, what: 'it is not there' });
        continue;
      }
      const checked = checkKeyLeaf(leaf, keys, place);
      findings.push(...checked.findings);
      own.push(checked.hash);
      if (checked.entry !== null) entries.push({ entry: checked.entry, index });
    }
    hashes.set(log.logSeq, own);
    signatures += entries.reduce((sum, { entry }) => sum + entry.signatures.length, 0);
    findings.push(
      ...keyLogProblems(entries).map(({ index, what }) => ({
        table: 'key_leaf',
        row: { leaf_seq: log.firstLeaf + index },
        log: log.origin,
        index,
        what,
      })),
    );
    return { origin: log.origin, receiptsLogSeq: receipts.logSeq, entries };
  });
  findings.push(...keyStandingFindings(keys, known));
  return { findings, signatures, hashes };
}

async function* stretches(
  connection: Connection,
  examiner: Examiner,
  bounds: Bounds,
  keyHashes: ReadonlyMap<number, Uint8Array[]>,
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
  const leaves = bounds.logs.reduce((sum, log) => sum + (bounds.extents.get(log.logSeq)?.extent ?? 0), 0);
  // A receipt has about two signatures, which cost ten times what a leaf does.
  const of = bounds.receipts * 20 + bounds.checkpoints * 30 + leaves;
  let done = 0;
  const trees = new Map(bounds.logs.map((log) => [log.logSeq, treeOf(connection, bounds, log, mark)]));
  for (const log of bounds.logs.filter(({ name }) => name === 'keys')) {
    const tree = trees.get(log.logSeq);
    for (const hash of keyHashes.get(log.logSeq)?.slice(0, bounds.extents.get(log.logSeq)?.extent) ?? []) {
      for (const finding of tree?.append(hash) ?? []) yield { finding };
      examined.leaves++;
    }
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
    } else if (task?.kind === 'leaves') {
      examined.leaves += report.rows;
      done += task.to - task.from;
      const tree = trees.get(task.log.logSeq);
      for (let at = 0; at < report.hashes.length; at += 32) {
        for (const finding of tree?.append(report.hashes.slice(at, at + 32)) ?? []) yield { finding };
      }
    }
    yield { done, of, examined };
  }
  for (const tree of trees.values()) for (const finding of tree.end()) yield { finding };
}

/** The tasks in the order in which what they find is told. */
function* tasksOf({ receipts, checkpoints, logs, extents }: Bounds): Generator<Task> {
  for (let after = 0; after < receipts; after += STRETCH) {
    yield { kind: 'receipts', after, reach: Math.min(after + STRETCH, receipts) };
  }
  for (let after = 0; after < checkpoints; after += STRETCH) {
    yield { kind: 'checkpoints', after, reach: Math.min(after + STRETCH, checkpoints) };
  }
  for (const log of logs) {
    const { name } = log;
    if (name === 'keys') continue;
    const { size, extent } = extents.get(log.logSeq) ?? { size: 0, extent: 0 };
    for (let from = 0; from < extent; from += STRETCH) {
      yield { kind: 'leaves', name, log, from, to: Math.min(from + STRETCH, extent), own: size };
    }
  }
}

function treeOf(connection: Connection, bounds: Bounds, log: LogRow, mark: HighWater | null): TreeAudit {
  const published = mark !== null && isOf(mark, log) ? mark.logs[log.name] : null;
  const extent = bounds.extents.get(log.logSeq) ?? { size: 0, extent: 0 };
  return new TreeAudit({ connection }, log, extent, bounds.checkpoints, published);
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
  { logs, checkpoints }: Bounds,
  before: HighWater | null,
  after: HighWater | null,
): Finding[] {
  const file = { table: HIGH_WATER_FILE, row: {} };
  if (logs.length === 0)
    return before === null
      ? []
      : [{ ...file, what: 'it says that a log was published, and the database has none' }];
  if (checkpoints === 0) return [];
  const mark = after ?? before;
  if (mark === null)
    return [{ ...file, what: 'it is missing: nothing says how much of the log was published' }];
  return logs
    .filter(({ closedSize }) => closedSize === null)
    .flatMap((log) => {
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
      const newest =
        auditSql({ connection }).newestOf.get({ logSeq: log.logSeq, reach: checkpoints })?.size ?? 0;
      const published = mark.logs[log.name].tree_size;
      if (newest <= published) return [];
      const values = { expected: `${newest} or more leaves`, found: `${published}` };
      return [{ ...file, log: log.origin, what: 'it is older than the newest checkpoint', ...values }];
    });
}
