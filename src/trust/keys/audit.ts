import type { AuditedTable, RangeReport, RowRange, WholeReport } from '../../platform/audit/table.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { type IndexedEntry, keyLogProblems } from '../../platform/tlog/key-log.ts';
import { beginLeaves, type LogLeaves, logLeaves } from '../log/audit/leaves.ts';
import { FIRST_LEAF } from '../log/logs.ts';
import { leafHashOf } from '../log/tree/append.ts';
import { checkKeyLeaf, keyRowProblems, keyStatusProblems } from './audit/key-log.ts';
import { keyLeavesOf } from './log/leaves.ts';
import { type VerificationKeys, verificationKeys } from './signing/verification-keys.ts';

/** The keys, and the key log as a whole: it has as many entries as keys were changed. */
const keys: AuditedTable = {
  name: 'signing_key',
  stage: 'anchors',
  async begin(start) {
    const snapshot = await start.snapshot;
    const rows = await verificationKeys(snapshot);
    const log = await logLeaves(snapshot, 'keys');
    return { whole: (later) => keyLogReport(later, rows, log) };
  },
};

/** The leaves of the key log, for its tree. What is wrong with an entry, the keys' turn has told. */
const leaves: AuditedTable = {
  name: 'key_leaf',
  stage: 'logs',
  rows: { column: 'leaf_seq', counted: 'leaves', cost: 0, log: 'keys', examine: leafHashes },
  begin: beginLeaves('keys'),
};

/** What fsck audits of keys. */
export const audited = [keys, leaves];

async function keyLogReport(
  snapshot: Snapshot,
  keys: VerificationKeys,
  log: LogLeaves | null,
): Promise<WholeReport> {
  const findings = keyRowProblems(keys);
  if (log === null) return { problems: findings };
  const { origin, leaves } = log;
  const entries: IndexedEntry[] = [];
  const rows = new Map((await keyLeavesOf(snapshot, 0, leaves)).map((row) => [row.leafSeq, row]));
  for (let index = 0; index < leaves; index++) {
    const leafSeq = FIRST_LEAF + index;
    const leaf = rows.get(leafSeq);
    const position = { log: origin, index };
    if (leaf === undefined) {
      findings.push({ table: 'key_leaf', row: { leaf_seq: leafSeq }, ...position, what: 'it is not there' });
      continue;
    }
    const checked = checkKeyLeaf(leaf, keys, position);
    findings.push(...checked.findings);
    if (checked.entry !== null) entries.push({ entry: checked.entry, index });
  }
  findings.push(
    ...keyLogProblems(entries).map(({ index, what }) => ({
      table: 'key_leaf',
      row: { leaf_seq: FIRST_LEAF + index },
      log: origin,
      index,
      what,
    })),
    ...keyStatusProblems(keys, { origin, entries }),
  );
  const signatures = entries.reduce((sum, { entry }) => sum + entry.signatures.length, 0);
  return { problems: findings, signatures };
}

async function leafHashes(snapshot: Snapshot, { after, reach }: RowRange): Promise<RangeReport> {
  const rows = await keyLeavesOf(snapshot, after, reach);
  const hashes = new Uint8Array(Buffer.concat(rows.map(({ entry }) => leafHashOf(entry))));
  return { problems: [], rows: rows.length, signatures: 0, hashes };
}
