import { checkedTable } from '../../platform/audit/counts.ts';
import {
  type AuditedTable,
  gaps,
  NOTHING,
  type RangeReport,
  type RowRange,
} from '../../platform/audit/table.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { LeafLog } from '../../proof/log/log-names.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { leafTable } from '../log/audit/leaves.ts';
import { verificationKeys } from '../log/keys/signing/verification-keys.ts';
import { allLogs } from '../log/logs.ts';
import { checkLeaf, LEAF_TABLES, repeatedProblems } from './audit/leaves.ts';
import { needsSlash, orphanedVersionProblem, receiptProblems, unslashedProblem } from './audit/receipts.ts';
import {
  isUnslashed,
  leafRows,
  newestReceipt,
  receiptCounts,
  receiptRows,
  repeatedLeaves,
  serviceReceiptCheck,
  type VersionRow,
  versionRows,
} from './audit/store.ts';
import { SERVICE_SCOPES } from './service-receipt.ts';

const receipts: AuditedTable = {
  name: 'receipt',
  stage: 'rows',
  rows: { column: 'receipt_seq', counted: 'receipts', cost: 20, examine: receiptsReport },
  begin: async ({ snapshot }) => ({ reach: await newestReceipt(await snapshot) }),
};

/** Audits the leaves of a log whose entries are computed from signed versions. */
const leavesOf = (log: LeafLog): AuditedTable =>
  leafTable({
    name: LEAF_TABLES[log],
    log,
    read: (snapshot, range) => leafRows(snapshot, log, range),
    check: (leaf, position) => checkLeaf(log, leaf, position),
    whole: async (snapshot, origin) =>
      repeatedProblems(log, origin, await repeatedLeaves(snapshot, LEAF_TABLES[log])),
  });

/**
 * The tables of receipts that fsck audits: receipts with all their versions, their leaves, their counts, and
 * which of them the service issued itself. The capability that issues one checks that it belongs to a row.
 */
export const audited = [
  receipts,
  leavesOf('receipts'),
  leavesOf('revocations'),
  checkedTable('receipt_count', [receiptCounts]),
  checkedTable('service_receipt', [serviceReceiptCheck(SERVICE_SCOPES)]),
];

async function receiptsReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const keys = await verificationKeys(snapshot);
  const hasLog = (await allLogs(snapshot)).length > 0;
  const versions = await versionRows(snapshot, range);
  const problems: Problem[] = [];
  let at = 0;
  const versionsOf = (receiptSeq: number): VersionRow[] => {
    for (; at < versions.length; at++) {
      const version = versions[at];
      if (version === undefined || version.receiptSeq >= receiptSeq) break;
      problems.push(orphanedVersionProblem(version));
    }
    const from = at;
    while (versions[at]?.receiptSeq === receiptSeq) at++;
    return versions.slice(from, at);
  };
  const rows = await receiptRows(snapshot, range);
  for (const row of rows) {
    problems.push(...receiptProblems(row, versionsOf(row.receipt.receiptSeq), keys, hasLog));
  }
  versionsOf(Number.POSITIVE_INFINITY);
  for (const version of versions) {
    if (needsSlash(version) && (await isUnslashed(snapshot, version.receiptSeq)))
      problems.push(unslashedProblem(version));
  }
  const numbers = rows.map(({ receipt }) => receipt.receiptSeq);
  problems.push(...gaps('receipt', 'receipt_seq', numbers, range));
  return { ...NOTHING, problems, rows: rows.length, signatures: versions.length };
}
