import { checkedTable } from '../../platform/audit/counts.ts';
import { type AuditedTable, NOTHING, type RangeReport, type RowRange } from '../../platform/audit/table.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Problem } from '../../proof/log/problem.ts';
import { itemProblems } from './audit/items.ts';
import { retirementProblems } from './audit/retirements.ts';
import { auditedItems, newestItem } from './audit/store.ts';
import {
  classChecks,
  clusterChecks,
  dayChecks,
  energyChecks,
  instanceDayChecks,
} from './audit/sums-store.ts';
import { impossibleReadings } from './otlp/store.ts';

/**
 * Audits every item of telemetry: its body, its computed values, its instrument's signature and its receipt.
 */
const items: AuditedTable = {
  name: 'datacenter_evidence',
  stage: 'rows',
  rows: {
    column: 'receipt_seq',
    counted: 'telemetry',
    inWords: 'items of telemetry',
    oneInWords: 'item of telemetry',
    cost: 12,
    examine: itemsReport,
  },
  begin: async ({ snapshot }) => ({ reach: await newestItem(await snapshot) }),
};

/** The tables of data centers that fsck audits. A missing item shows as a receipt that belongs to nothing. */
export const audited = [
  items,
  checkedTable('datacenter_cluster', clusterChecks),
  checkedTable('datacenter_day', dayChecks),
  checkedTable('datacenter_instance_class', classChecks),
  checkedTable('datacenter_instance_day', instanceDayChecks),
  checkedTable('datacenter_retirement', [retirementProblems]),
  ...Object.entries(energyChecks).map(([table, check]) => checkedTable(table, [check])),
  checkedTable('datacenter_reading', [impossibleReadings]),
];

async function itemsReport(snapshot: Snapshot, range: RowRange): Promise<RangeReport> {
  const rows = await auditedItems(snapshot, range);
  const problems: Problem[] = [];
  for (const row of rows) problems.push(...(await itemProblems(snapshot, row)));
  const signatures = rows.filter(({ item }) => item.agentSeq !== null).length;
  return { ...NOTHING, problems, rows: rows.length, signatures };
}
