import type { AuditedTable, RangeReport, RowRange, WholeReport } from '../../../platform/audit/table.ts';
import { nativePrimitives } from '../../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { keyLogOf, keyLogProblems } from '../../../proof/log/key-log.ts';
import { logChainProblems } from '../../../proof/log/log-chain.ts';
import type { AnyKeyLogEntry } from '../../../proof/log/log-change.ts';
import { commonOf } from '../../../proof/log/log-names.ts';
import { beginLeaves, type LogLeaves, logLeaves } from '../audit/leaves.ts';
import { FIRST_LEAF } from '../logs.ts';
import { leafHashOf } from '../tree/append.ts';
import { checkKeyLeaf, keyRowProblems, keyStatusProblems } from './audit/key-log.ts';
import { keyLeavesOf } from './log/leaves.ts';
import { type VerificationKeys, verificationKeys } from './signing/verification-keys.ts';

/** Audits the keys, and the key log as a whole, which has one entry per change of a key. */
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

/** Reads the leaves of the key log for its tree. Problems of entries are reported with the keys. */
const leaves: AuditedTable = {
  name: 'key_leaf',
  stage: 'logs',
  rows: {
    column: 'leaf_seq',
    counted: 'leaves',
    oneInWords: 'leaf',
    cost: 0,
    log: 'keys',
    examine: leafHashes,
  },
  begin: beginLeaves('keys'),
};

/** The tables of keys that fsck audits. */
export const audited = [keys, leaves];

async function keyLogReport(
  snapshot: Snapshot,
  keys: VerificationKeys,
  log: LogLeaves | null,
): Promise<WholeReport> {
  const problems = keyRowProblems(keys);
  if (log === null) return { problems };
  const { origin, leaves } = log;
  const readable: { entry: AnyKeyLogEntry; index: number }[] = [];
  const rows = new Map((await keyLeavesOf(snapshot, 0, leaves)).map((row) => [row.leafSeq, row]));
  for (let index = 0; index < leaves; index++) {
    const leafSeq = FIRST_LEAF + index;
    const leaf = rows.get(leafSeq);
    const position = { log: origin, index };
    if (leaf === undefined) {
      problems.push({ table: 'key_leaf', row: { leaf_seq: leafSeq }, ...position, what: 'it is not there' });
      continue;
    }
    const checked = checkKeyLeaf(leaf, keys, position);
    problems.push(...checked.problems);
    if (checked.entry !== null) readable.push({ entry: checked.entry, index });
  }
  const { keys: entries, changes } = keyLogOf(readable);
  const wrong = [
    ...keyLogProblems(nativePrimitives, entries),
    ...logChainProblems(changes, commonOf({ origin, name: 'keys' })),
  ];
  problems.push(
    ...wrong.map(({ index, what }) => ({
      table: 'key_leaf',
      row: { leaf_seq: FIRST_LEAF + index },
      log: origin,
      index,
      what,
    })),
    ...keyStatusProblems(keys, { origin, entries }),
  );
  const signatures = entries.reduce((sum, { entry }) => sum + entry.signatures.length, 0);
  return { problems, signatures };
}

async function leafHashes(snapshot: Snapshot, { after, reach }: RowRange): Promise<RangeReport> {
  const rows = await keyLeavesOf(snapshot, after, reach);
  const hashes = new Uint8Array(Buffer.concat(rows.map(({ entry }) => leafHashOf(entry))));
  return { problems: [], rows: rows.length, signatures: 0, hashes };
}
