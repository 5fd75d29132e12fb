import { datacenterEvidence } from '../../../../db/trust/datacenter.ts';
import { receiptLeaf } from '../../../../db/trust/receipts.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ datacenterEvidence, receiptLeaf });

/** An item of telemetry, as a package counts it: energy in mWh, water in mL, emissions in mg and grams. */
export type TelemetryItem = Awaited<ReturnType<typeof telemetryPage>>[number];

/**
 * Returns a page of a cluster's telemetry in the order of its arrival, with the leaves of the receipts: the
 * index by arrival has the number of the receipt as its last column. Its parameters, with times in
 * milliseconds since 1970:
 *
 * - `afterTime` and `afterReceipt`: the arrival and the receipt of the last item of the page before
 * - `from` and `to`: windows end after `from`, and begin before `to`
 * - `beforeLeaf`: the first leaf of the log of receipts that does not count
 */
export const telemetryPage = sql.joined({
  receiptSeq: datacenterEvidence.receiptSeq,
  leafSeq: receiptLeaf.leafSeq,
  ingestedAt: datacenterEvidence.ingestedAt,
  instanceSeq: datacenterEvidence.instanceSeq,
  eventType: datacenterEvidence.eventType,
  class: datacenterEvidence.class,
  windowStart: datacenterEvidence.windowStart,
  windowEnd: datacenterEvidence.windowEnd,
  countsEnergy: datacenterEvidence.countsEnergy,
  supersededBy: datacenterEvidence.supersededBy,
  itMwh: datacenterEvidence.itMwh,
  facilityMwh: datacenterEvidence.facilityMwh,
  waterMl: datacenterEvidence.waterMl,
  renewableMwh: datacenterEvidence.renewableMwh,
  reusedMwh: datacenterEvidence.reusedMwh,
  powerMwh: datacenterEvidence.powerMwh,
  co2Mg: datacenterEvidence.co2Mg,
  savedMwh: datacenterEvidence.savedMwh,
  avoidedG: datacenterEvidence.avoidedG,
}).rows`
  FROM datacenter_evidence JOIN receipt_leaf ON receipt_leaf.receipt_seq = datacenter_evidence.receipt_seq
  WHERE cluster_seq = ${'clusterSeq'} AND ingested_at >= ${'afterTime:ingestedAt'}
    AND (ingested_at, datacenter_evidence.receipt_seq)
      > (${'afterTime:ingestedAt'}, ${'afterReceipt:datacenterEvidence.receiptSeq'})
    AND window_end > ${'from:windowEnd'} AND window_start < ${'to:windowStart'} AND leaf_seq < ${'beforeLeaf:leafSeq'}
  ORDER BY ingested_at, datacenter_evidence.receipt_seq LIMIT ${'limit'}`;
