import { datacenterCluster, datacenterEvidence, datacenterRetirement } from '../../../db/trust/datacenter.ts';
import { operator } from '../../../db/trust/operators.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';

const sql = sqlOf({ datacenterCluster, datacenterEvidence, datacenterRetirement });

/** A cluster, and the account status of the operator that owns it. */
export interface OwnedCluster {
  clusterSeq: number;
  clusterId: string;
  operatorId: string;
  ownerStatus: (typeof operator.$inferSelect)['accountStatus'];
}

/** Returns a cluster by its id; null for one without telemetry. */
export const ownedCluster = sql.joined({
  clusterSeq: datacenterCluster.clusterSeq,
  clusterId: datacenterCluster.clusterId,
  operatorId: operator.operatorId,
  ownerStatus: operator.accountStatus,
}).row`FROM datacenter_cluster JOIN operator USING (operator_seq) WHERE cluster_id = ${'clusterId'}`;

/**
 * Returns the number of the newest receipt of a cluster, for telemetry or for a meter that was retired; 0 for
 * none. It grows with whatever changes a metric.
 */
export async function newestReceiptOf(snapshot: Snapshot, clusterSeq: number): Promise<number> {
  const telemetry = await newestTelemetryOf(snapshot, clusterSeq);
  return Math.max(telemetry?.receiptSeq ?? 0, (await newestRetirementOf(snapshot, clusterSeq)) ?? 0);
}

/**
 * Returns the newest telemetry of a cluster: its receipt, and its arrival in ms since 1970; null for none.
 */
export const newestTelemetryOf = sql.joined({
  receiptSeq: datacenterEvidence.receiptSeq,
  ingestedAt: datacenterEvidence.ingestedAt,
}).row`
  FROM datacenter_evidence WHERE cluster_seq = ${'clusterSeq'} ORDER BY receipt_seq DESC LIMIT 1`;

const newestRetirementOf = sql.value(datacenterRetirement.receiptSeq)`
  WHERE cluster_seq = ${'clusterSeq'} ORDER BY receipt_seq DESC LIMIT 1`;
