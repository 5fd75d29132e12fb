import { getTableColumns } from 'drizzle-orm';
import {
  datacenterCluster,
  datacenterDay,
  datacenterEvidence,
  datacenterInstance,
} from '../../../db/trust/datacenter.ts';
import type { TelemetryClass, TelemetryEvent } from '../../../db/trust/datacenter-enums.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';

const sql = sqlOf({ datacenterCluster, datacenterDay, datacenterEvidence, datacenterInstance });

const { payload: _, ...rowColumns } = getTableColumns(datacenterEvidence);

const itemBySeq = sql.joined(rowColumns).row`FROM datacenter_evidence WHERE receipt_seq = ${'receiptSeq'}`;

/**
 * The first item of an instance that ends after `start`. Items of an event type do not overlap each other, so
 * if any overlaps a window from `start`, this one does.
 */
const firstOfType = sql.joined({
  windowStart: datacenterEvidence.windowStart,
  receiptSeq: datacenterEvidence.receiptSeq,
}).row`
  FROM datacenter_evidence
  WHERE event_type = ${'eventType'} AND instance_seq = ${'instanceSeq'} AND window_end > ${'start:windowEnd'}
  ORDER BY window_end LIMIT 1`;

/** The start of the first item of an instance and class that counts and ends after `start`; null for none. */
const firstCounted = (flag: 'counts_energy' | 'counts_thermal') =>
  orNull(sql.number`(
    SELECT window_start FROM datacenter_evidence
    WHERE ${sql.verbatim(flag)} = 1 AND instance_seq = ${'instanceSeq'} AND class = ${'class'}
      AND window_end > ${'start:windowEnd'}
    ORDER BY window_end LIMIT 1
  )`);
/** The starts of the first items that count and end after a time, in one statement, since both are needed. */
const counted = sql.joined({
  energy: firstCounted('counts_energy'),
  thermal: firstCounted('counts_thermal'),
}).row`FROM (SELECT 1)`;

/** The largest of the sums of a day that can become large. */
const largest = sql.value(sql.number`max(facility_mwh, it_mwh, water_ml, renewable_mwh, reused_mwh, co2_mg,
  power_mwh, rated_nameplate_mwh, saved_mwh, avoided_g, abs(inlet_mc_s), thermal_ms)`)`
  FROM datacenter_day WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND day = ${'day'}`;

/** Items with the names of cluster and instance. */
const listedItems = sql.joined({
  ...rowColumns,
  clusterId: datacenterCluster.clusterId,
  instanceId: datacenterInstance.instanceId,
});
const LISTED = sql.part`FROM datacenter_evidence
  JOIN datacenter_cluster ON datacenter_cluster.cluster_seq = datacenter_evidence.cluster_seq
  JOIN datacenter_instance ON datacenter_instance.instance_seq = datacenter_evidence.instance_seq`;

export type ClusterRow = typeof datacenterCluster.$inferSelect;
export type EvidenceRow = typeof datacenterEvidence.$inferSelect;
/** An item without its body. */
export type EvidenceItem = Omit<EvidenceRow, 'payload'>;

/** Returns a cluster; null for one without telemetry. */
export const clusterById = sql.row(datacenterCluster)`WHERE cluster_id = ${'clusterId'}`;

/** Returns the number of clusters that an operator owns. */
export const clustersOwned = sql.count(datacenterCluster)`WHERE operator_seq = ${'operatorSeq'}`;

/** Returns the number of an instance; null for one without telemetry. */
export const instanceOf = sql.value(datacenterInstance.instanceSeq)`
  WHERE cluster_seq = ${'clusterSeq'} AND instance_id = ${'instanceId'}`;

/** A window of an instance, in milliseconds since 1970. */
interface InstanceWindow {
  instanceSeq: number;
  start: number;
  end: number;
}

/** Returns the first item of an instance and event type whose window overlaps another; null if none does. */
export async function overlappingItem(
  snapshot: Snapshot,
  { instanceSeq, start, end }: InstanceWindow,
  eventType: TelemetryEvent,
): Promise<EvidenceItem | null> {
  const first = await firstOfType(snapshot, { instanceSeq, eventType, start });
  return first === null || first.windowStart >= end ? null : itemBySeq(snapshot, first.receiptSeq);
}

/** Returns which values of an instance no item of a class counts in any part of a window. */
export async function countableValues(
  snapshot: Snapshot,
  { instanceSeq, start, end }: InstanceWindow,
  telemetryClass: TelemetryClass,
): Promise<{ energy: boolean; thermal: boolean }> {
  const first = await counted(snapshot, { instanceSeq, class: telemetryClass, start });
  const isFree = (windowStart: number | null): boolean => windowStart === null || windowStart >= end;
  return { energy: isFree(first?.energy ?? null), thermal: isFree(first?.thermal ?? null) };
}

/** Returns the largest sum of a day; 0 if it has none. */
export async function largestSum(
  snapshot: Snapshot,
  day: { clusterSeq: number; class: TelemetryClass; day: number },
): Promise<number> {
  return (await largest(snapshot, day)) ?? 0;
}

/** Stores a cluster with its owner. @returns its number */
export const insertCluster = sql.insertReturning(datacenterCluster, ['clusterSeq'], {
  without: ['clusterSeq'],
});

/** Stores an instance. @returns its number */
export const insertInstance = sql.insertReturning(datacenterInstance, ['instanceSeq'], {
  without: ['instanceSeq'],
});

/** Stores an item. Triggers add it to the sums of its day. */
export const insertItem = sql.insert(datacenterEvidence);

/** An item with the names of its cluster and instance. */
export type ListedItem = Awaited<ReturnType<typeof newestItems>>[number];

/** Returns the newest `limit` items before a number, newest first. */
export const newestItems = listedItems.rows`${LISTED}
  WHERE receipt_seq < ${'before:receiptSeq'} ORDER BY receipt_seq DESC LIMIT ${'limit'}`;

/** Returns the newest `limit` items of a cluster before a number, newest first. */
export const newestItemsOf = listedItems.rows`${LISTED}
  WHERE datacenter_evidence.cluster_seq = ${'clusterSeq'} AND receipt_seq < ${'before:receiptSeq'}
  ORDER BY receipt_seq DESC LIMIT ${'limit'}`;
