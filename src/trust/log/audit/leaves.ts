import {
  type AuditedTable,
  type AuditStart,
  NOTHING,
  type RangeReport,
  type RowRange,
  type TableAudit,
} from '../../../platform/audit/table.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { LogName } from '../../../proof/log/log-names.ts';
import { HASH_BYTES } from '../../../proof/log/merkle.ts';
import type { Problem } from '../../../proof/log/problem.ts';
import { allLogs, FIRST_LEAF } from '../logs.ts';
import { sizeOf } from '../tree/tree.ts';

/** The newest log of a name, and the number of leaves of all logs with this name. */
export interface LogLeaves {
  origin: string;
  leaves: number;
}

/** Returns the leaves of the logs of a name, which continue one numbering; null if there is no log. */
export async function logLeaves(snapshot: Snapshot, name: LogName): Promise<LogLeaves | null> {
  const log = (await allLogs(snapshot)).findLast((known) => known.name === name);
  if (log === undefined) return null;
  return { origin: log.origin, leaves: await sizeOf(snapshot, log) };
}

/** Begins the audit of a log's table of leaves. */
export function beginLeaves(name: LogName): (start: AuditStart) => Promise<TableAudit> {
  return async ({ snapshot }) => {
    const log = await logLeaves(await snapshot, name);
    return log === null ? {} : { reach: FIRST_LEAF - 1 + log.leaves, origin: log.origin };
  };
}

/** A table of leaves, as declared by the capability whose rows have these leaves. */
export interface LeafTable<Leaf> {
  name: string;
  log: LogName;
  /** Reads the leaves of a range, by leaf_seq. */
  read(snapshot: Snapshot, range: RowRange): Promise<Leaf[]>;
  /**
   * Verifies a leaf. Returns problems, and the hash of its entry, from which the tree is rebuilt.
   * @param location the log's origin and the leaf's index
   */
  check(leaf: Leaf, location: { log: string; index: number }): { problems: Problem[]; hash: Uint8Array };
  /** Compares leaves with one another. It may return only some problems. @param origin of the log */
  whole?(snapshot: Snapshot, origin: string): Promise<Problem[]>;
}

/** Audits a table of leaves: none is missing, and each has the right entry. The log rebuilds its tree. */
export function leafTable<Leaf extends { leafSeq: number }>(table: LeafTable<Leaf>): AuditedTable {
  const { name, log, whole } = table;
  return {
    name,
    stage: 'leaves',
    rows: {
      column: 'leaf_seq',
      counted: 'leaves',
      oneInWords: 'leaf',
      cost: 1,
      log,
      examine: async (snapshot, range) => leavesReport(table, await table.read(snapshot, range), range),
    },
    begin: async (start) => {
      const begun = await beginLeaves(log)(start);
      const { origin } = begun;
      if (whole === undefined || origin === undefined) return begun;
      return { ...begun, whole: async (snapshot) => ({ problems: await whole(snapshot, origin) }) };
    },
  };
}

function leavesReport<Leaf extends { leafSeq: number }>(
  { name, check }: LeafTable<Leaf>,
  leaves: readonly Leaf[],
  { after, reach, origin: log = '' }: RowRange,
): RangeReport {
  const hashes = new Uint8Array((reach - after) * HASH_BYTES);
  const problems: Problem[] = [];
  let next = 0;
  for (let leafSeq = after + 1; leafSeq <= reach; leafSeq++) {
    const leaf = leaves[next];
    const location = { log, index: leafSeq - FIRST_LEAF };
    if (leaf?.leafSeq !== leafSeq) {
      problems.push({ table: name, row: { leaf_seq: leafSeq }, ...location, what: 'it is not there' });
      continue;
    }
    next++;
    const checked = check(leaf, location);
    problems.push(...checked.problems);
    hashes.set(checked.hash.subarray(0, HASH_BYTES), (leafSeq - after - 1) * HASH_BYTES);
  }
  return { ...NOTHING, problems, rows: leaves.length, hashes };
}
