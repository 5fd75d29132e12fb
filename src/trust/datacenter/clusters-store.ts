import { desc, eq, sql } from 'drizzle-orm';
import { datacenterCluster, datacenterEvidence } from '../../../db/trust/datacenter.ts';
import { operator } from '../../../db/trust/operators.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';

const query = statements((orm) => ({
  cluster: () =>
    orm
      .select({
        clusterSeq: datacenterCluster.clusterSeq,
        clusterId: datacenterCluster.clusterId,
        ownerStatus: operator.accountStatus,
      })
      .from(datacenterCluster)
      .innerJoin(operator, eq(operator.operatorSeq, datacenterCluster.operatorSeq))
      .where(eq(datacenterCluster.clusterId, bound(datacenterCluster.clusterId, 'clusterId')))
      .prepare(),
  newest: () =>
    orm
      .select({ receiptSeq: datacenterEvidence.receiptSeq, ingestedAt: datacenterEvidence.ingestedAt })
      .from(datacenterEvidence)
      .where(
        sql`${eq(datacenterEvidence.clusterSeq, bound(datacenterEvidence.clusterSeq, 'clusterSeq'))}
        ORDER BY ${desc(datacenterEvidence.receiptSeq)} LIMIT 1`,
      )
      .prepare(),
}));

/** A cluster, and the account status of the operator that owns it. */
export interface OwnedCluster {
  clusterSeq: number;
  clusterId: string;
  ownerStatus: (typeof operator.$inferSelect)['accountStatus'];
}

/** Returns a cluster by its id; null for one without telemetry. */
export function ownedCluster(snapshot: Snapshot, clusterId: string): Promise<OwnedCluster | null> {
  return query(snapshot, (sql) => sql.cluster.get({ clusterId }) ?? null);
}

/** Returns the number of the receipt of a cluster's newest telemetry; 0 for none. It grows with each item. */
export async function newestReceiptOf(snapshot: Snapshot, clusterSeq: number): Promise<number> {
  return (await newestTelemetryOf(snapshot, clusterSeq))?.receiptSeq ?? 0;
}

/**
 * Returns the newest telemetry of a cluster: its receipt, and its arrival in ms since 1970; null for none.
 */
export function newestTelemetryOf(
  snapshot: Snapshot,
  clusterSeq: number,
): Promise<{ receiptSeq: number; ingestedAt: number } | null> {
  return query(snapshot, (sql) => sql.newest.get({ clusterSeq }) ?? null);
}
