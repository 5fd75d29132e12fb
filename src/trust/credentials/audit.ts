import { checkedTable } from '../../platform/audit/counts.ts';
import { type AuditedTable, NOTHING, type RangeReport, type RowRange } from '../../platform/audit/table.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { credentialChecks, statusListChecks } from './audit/store.ts';
import { rowDigest } from './row-digest.ts';
import { credentialsBetween, lastCredential } from './store.ts';

/** What is checked of the table as a whole, after its rows. */
const checked = checkedTable('credential', credentialChecks);

/** Audits the columns of credentials that never change. Old rows are deleted, so the numbers have gaps. */
const credentials: AuditedTable = {
  name: 'credential',
  stage: 'rows',
  rows: {
    column: 'credential_seq',
    counted: 'credentials',
    cost: 1,
    examine: credentialsReport,
  },
  begin: async (start) => ({
    ...(await checked.begin(start)),
    reach: await lastCredential(await start.snapshot),
  }),
};

/** The tables of credentials that fsck audits. */
export const audited = [credentials, checkedTable('status_list', statusListChecks)];

async function credentialsReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await credentialsBetween(snapshot, range);
  const problems = rows.flatMap((row) => {
    const expected = rowDigest(row);
    if (expected === row.rowDigest) return [];

    return [
      {
        table: 'credential',
        row: { credential_seq: row.credentialSeq },
        what: 'row_digest is not the digest of the row',
        expected,
        found: row.rowDigest,
      },
    ];
  });
  return { ...NOTHING, problems, rows: rows.length };
}
