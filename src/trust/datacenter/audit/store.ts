import { and, asc, eq, getTableColumns, gt, lte, max, sql } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import {
  datacenterCluster,
  datacenterEvidence,
  datacenterInstance,
} from '../../../../db/trust/datacenter.ts';
import { receipt, receiptVersion, serviceReceipt } from '../../../../db/trust/receipts.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';

/** The flags as they are stored, since any number but 1 is false for drizzle. */
const FLAGS = {
  countsEnergy: sql<number>`${datacenterEvidence.countsEnergy}`.as('countsEnergy'),
  countsThermal: sql<number>`${datacenterEvidence.countsThermal}`.as('countsThermal'),
  setpointApplied: sql<number | null>`${datacenterEvidence.setpointApplied}`.as('setpointApplied'),
  throttled: sql<number | null>`${datacenterEvidence.throttled}`.as('throttled'),
};

const query = statements((orm) => ({
  newest: () =>
    orm
      .select({ seq: max(datacenterEvidence.receiptSeq) })
      .from(datacenterEvidence)
      .prepare(),
  range: () =>
    orm
      .select({
        item: { ...getTableColumns(datacenterEvidence), ...FLAGS },
        clusterId: datacenterCluster.clusterId,
        ownerSeq: datacenterCluster.operatorSeq,
        instanceId: datacenterInstance.instanceId,
        instanceClusterSeq: datacenterInstance.clusterSeq,
        subjectCommitment: agent.subjectCommitment,
        publicKey: agent.publicKey,
        receipt: {
          receiptType: receipt.receiptType,
          operatorSeq: receipt.operatorSeq,
          agentId: receipt.agentId,
          authorityScope: receipt.authorityScope,
          inputDigest: receipt.inputDigest,
          issuedAt: receipt.issuedAt,
        },
        outputHash: receiptVersion.outputHash,
        serviceSeq: serviceReceipt.receiptSeq,
      })
      .from(datacenterEvidence)
      .leftJoin(datacenterCluster, eq(datacenterCluster.clusterSeq, datacenterEvidence.clusterSeq))
      .leftJoin(datacenterInstance, eq(datacenterInstance.instanceSeq, datacenterEvidence.instanceSeq))
      .leftJoin(agent, eq(agent.agentSeq, datacenterEvidence.agentSeq))
      .leftJoin(receipt, eq(receipt.receiptSeq, datacenterEvidence.receiptSeq))
      .leftJoin(
        receiptVersion,
        and(eq(receiptVersion.receiptSeq, datacenterEvidence.receiptSeq), eq(receiptVersion.version, 2)),
      )
      .leftJoin(serviceReceipt, eq(serviceReceipt.receiptSeq, datacenterEvidence.receiptSeq))
      .where(
        and(
          gt(datacenterEvidence.receiptSeq, bound(datacenterEvidence.receiptSeq, 'after')),
          lte(datacenterEvidence.receiptSeq, bound(datacenterEvidence.receiptSeq, 'reach')),
        ),
      )
      .orderBy(asc(datacenterEvidence.receiptSeq))
      .prepare(),
}));

/** An item with the rows that it is compared with; null where a row is missing. */
export type AuditedItem = Awaited<ReturnType<typeof auditedItems>>[number];

/** Returns the items with numbers above `after` up to `reach`, in ascending order. */
export function auditedItems(snapshot: Snapshot, { after, reach }: { after: number; reach: number }) {
  return query(snapshot, (statement) => statement.range.all({ after, reach }));
}

/** Returns the highest number of an item; 0 if there is none. */
export function newestItem(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (statement) => statement.newest.get()?.seq ?? 0);
}
