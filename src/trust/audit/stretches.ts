import type { Connection } from '../../platform/store/connection.ts';
import { problemsIn } from '../../platform/store/integrity.ts';
import { type Finding, messageOf } from '../../proof/log/finding.ts';
import { HASH_BYTES } from '../../proof/log/merkle.ts';
import type { LeafLog } from '../../proof/log/names.ts';
import type { VerifierKey } from '../../proof/log/note.ts';
import { evidenceStretch } from '../evidence/stretch.ts';
import { allKeys } from '../keys/service.ts';
import { allLogs, FIRST_LEAF, type LogRow } from '../log/logs.ts';
import { logVerifiers } from '../log/sign.ts';
import { checkpointFindings } from './checkpoints.ts';
import { evidenceFindings } from './evidence.ts';
import { checkLeaf, LEAF_TABLES } from './leaves.ts';
import { keysOf, orphanFinding, receiptFindings } from './receipts.ts';
import { auditSql, leafRows, receiptRows, type VersionRow, versionRows } from './store.ts';

/** A stretch of a table, small enough to be read at once. */
export type Task =
  | { kind: 'structure' }
  /** Receipts and versions behind `after` up to `reach`. */
  | { kind: 'receipts'; after: number; reach: number }
  /** The leaves of a log with index `from` to `to`, exclusive. */
  | { kind: 'leaves'; name: LeafLog; log: LogRow; from: number; to: number }
  | { kind: 'checkpoints'; after: number; reach: number }
  /** Items of evidence behind `after` up to `reach`. */
  | { kind: 'evidence'; after: number; reach: number };

/** What was found in a stretch. */
export interface Report {
  findings: Finding[];
  /** Rows that were looked at: of receipts, not their versions. */
  rows: number;
  /** Signatures that were verified, good or bad. */
  signatures: number;
  /** What the entries of leaves hash to, 32 bytes each, in their order. */
  hashes: Uint8Array<ArrayBuffer>;
}

/** Looks at a stretch, all of it as it stands at one moment. Damage that keeps the database from being read is a finding. */
export function examine(connection: Connection, task: Task): Report {
  try {
    if (task.kind === 'structure') return structure(connection);
    return connection.sqlite.transaction(() => {
      switch (task.kind) {
        case 'receipts':
          return receipts(connection, task.after, task.reach);
        case 'leaves':
          return leaves(connection, task);
        case 'evidence':
          return evidence(connection, task.after, task.reach);
        default:
          return checkpoints(connection, task.after, task.reach);
      }
    })();
  } catch (error) {
    // A page of another table gives rows of which nothing can be made: that is damage like any other.
    return { ...NOTHING, findings: [unreadable(task, messageOf(error))] };
  }
}

const NOTHING: Report = { findings: [], rows: 0, signatures: 0, hashes: new Uint8Array() };

function unreadable(task: Task, message: string): Finding {
  switch (task.kind) {
    case 'receipts':
      return {
        table: 'receipt',
        row: { receipt_seq: `${task.after + 1} to ${task.reach}` },
        what: `cannot be read: ${message}`,
      };
    case 'checkpoints':
      return {
        table: 'checkpoint',
        row: { checkpoint_seq: `${task.after + 1} to ${task.reach}` },
        what: `cannot be read: ${message}`,
      };
    case 'evidence':
      return {
        table: 'evidence',
        row: { evidence_seq: `${task.after + 1} to ${task.reach}` },
        what: `cannot be read: ${message}`,
      };
    case 'leaves':
      return {
        table: LEAF_TABLES[task.name],
        row: {},
        log: task.log.origin,
        index: task.from,
        what: `cannot be read: ${message}`,
      };
    default:
      return { table: 'database', row: {}, what: message };
  }
}

function structure({ sqlite }: Connection): Report {
  // One answer of SQLite's may have a hundred lines, under the name of the database.
  const problems = problemsIn(sqlite, 'full')
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/^\*{3} in database \w+ \*{3}$/.test(line));
  return {
    ...NOTHING,
    findings: problems.slice(0, 100).map((what) => ({ table: 'database', row: {}, what })),
  };
}

function receipts(connection: Connection, after: number, reach: number): Report {
  const keys = keysOf(allKeys({ connection }));
  const hasLog = allLogs({ connection }).length > 0;
  const versions = versionRows({ connection }, after, reach);
  const findings: Finding[] = [];
  let at = 0;
  const versionsOf = (receiptSeq: number): VersionRow[] => {
    for (; at < versions.length; at++) {
      const version = versions[at];
      if (version === undefined || version.receiptSeq >= receiptSeq) break;
      findings.push(orphanFinding(version));
    }
    const from = at;
    while (versions[at]?.receiptSeq === receiptSeq) at++;
    return versions.slice(from, at);
  };
  const rows = receiptRows({ connection }, after, reach);
  for (const row of rows) {
    const own = versionsOf(row.receipt.receiptSeq);
    findings.push(...receiptFindings(row, own, keys, hasLog));
  }
  versionsOf(Number.POSITIVE_INFINITY);
  const numbers = rows.map(({ receipt }) => receipt.receiptSeq);
  findings.push(...gaps('receipt', 'receipt_seq', numbers, after, reach));
  return { ...NOTHING, findings, rows: rows.length, signatures: versions.length };
}

function leaves(connection: Connection, { name, log, from, to }: Extract<Task, { kind: 'leaves' }>): Report {
  const rows = leafRows({ connection }, name, FIRST_LEAF + from, FIRST_LEAF + to);
  const hashes = new Uint8Array((to - from) * HASH_BYTES);
  const findings: Finding[] = [];
  let next = 0;
  for (let index = from; index < to; index++) {
    const leaf = rows[next];
    const leafSeq = FIRST_LEAF + index;
    const place = { log: log.origin, index };
    if (leaf?.leafSeq !== leafSeq) {
      findings.push({
        table: LEAF_TABLES[name],
        row: { leaf_seq: leafSeq },
        ...place,
        what: 'it is not there',
      });
      continue;
    }
    next++;
    const checked = checkLeaf(name, leaf, place);
    findings.push(...checked.findings);
    hashes.set(checked.hash.subarray(0, HASH_BYTES), (index - from) * HASH_BYTES);
  }
  return { findings, rows: rows.length, signatures: 0, hashes };
}

function checkpoints(connection: Connection, after: number, reach: number): Report {
  const keys = keysOf(allKeys({ connection }));
  const logs = new Map(allLogs({ connection }).map((log) => [log.logSeq, log]));
  const verifiers = new Map<string, VerifierKey[]>();
  const verifiersOf = (origin: string): VerifierKey[] => {
    const known = verifiers.get(origin) ?? logVerifiers(keys.values(), origin);
    verifiers.set(origin, known);
    return known;
  };
  const rows = auditSql({ connection }).checkpoints.all({ after, reach });
  const checked = rows.map((row) => checkpointFindings(row, logs.get(row.logSeq), keys, verifiersOf));
  return {
    ...NOTHING,
    findings: [
      ...gaps(
        'checkpoint',
        'checkpoint_seq',
        rows.map(({ checkpointSeq }) => checkpointSeq),
        after,
        reach,
      ),
      ...checked.flatMap(({ findings }) => findings),
    ],
    rows: rows.length,
    signatures: checked.reduce((sum, { signatures }) => sum + signatures, 0),
  };
}

function evidence(connection: Connection, after: number, reach: number): Report {
  const rows = evidenceStretch({ connection }, after, reach);
  const numbers = rows.map(({ item }) => item.evidenceSeq);
  return {
    ...NOTHING,
    findings: [
      ...gaps('evidence', 'evidence_seq', numbers, after, reach),
      ...rows.flatMap((row) => evidenceFindings({ connection }, row)),
    ],
    rows: rows.length,
    signatures: rows.length,
  };
}

/** Rows count from 1 and are never deleted, so that one is missing where a number is. */
function gaps(
  table: string,
  column: string,
  numbers: readonly number[],
  after: number,
  reach: number,
): Finding[] {
  let last = after;
  const findings: Finding[] = [];
  for (const number of numbers) {
    if (number > last + 1) {
      const what = `the numbers before it are not there, from ${last + 1} to ${number - 1}`;
      findings.push({ table, row: { [column]: number }, what });
    }
    last = number;
  }
  if (last < reach)
    findings.push({ table, row: { [column]: `${last + 1} to ${reach}` }, what: 'they are not there' });
  return findings;
}
