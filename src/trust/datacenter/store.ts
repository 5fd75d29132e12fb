import { getTableColumns } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import {
  datacenterCluster,
  datacenterDay,
  datacenterEvidence,
  datacenterInstance,
  datacenterMeter,
  datacenterRetirement,
} from '../../../db/trust/datacenter.ts';
import type { TelemetryClass, TelemetryEvent } from '../../../db/trust/datacenter-enums.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';

const sql = sqlOf({
  datacenterCluster,
  datacenterDay,
  datacenterEvidence,
  datacenterInstance,
  datacenterMeter,
  datacenterRetirement,
});

const corrected = alias(datacenterEvidence, 'corrected');
const correcting = alias(datacenterEvidence, 'correcting');

const { payload: _, ...rowColumns } = getTableColumns(datacenterEvidence);

/** Returns an item without its body. */
export const itemBySeq = sql.joined(rowColumns)
  .row`FROM datacenter_evidence WHERE receipt_seq = ${'receiptSeq'}`;

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
    AND superseded_by IS NULL AND receipt_seq <> ${'corrects:receiptSeq'}
  ORDER BY window_end LIMIT 1`;

/** The start of the first item of an instance and class that counts and ends after `start`; null for none. */
const firstCounted = (flag: 'counts_energy' | 'counts_thermal') =>
  orNull(sql.number`(
    SELECT window_start FROM datacenter_evidence
    WHERE ${sql.verbatim(flag)} = 1 AND superseded_by IS NULL AND receipt_seq <> ${'corrects:receiptSeq'}
      AND instance_seq = ${'instanceSeq'} AND class = ${'class'}
      AND window_end > ${'start:windowEnd'}
    ORDER BY window_end LIMIT 1
  )`);
/** The starts of the first items that count and end after a time, in one statement, since both are needed. */
const counted = sql.joined({
  energy: firstCounted('counts_energy'),
  thermal: firstCounted('counts_thermal'),
}).row`FROM (SELECT 1)`;

/** A bound of all sums of a day. */
const largest = sql.value(datacenterDay.magnitude)`
  WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND day = ${'day'}`;

/** Items with the names of cluster and instance. */
const listedItems = sql.joined({
  ...rowColumns,
  clusterId: datacenterCluster.clusterId,
  instanceId: datacenterInstance.instanceId,
  correctsId: orNull(corrected.evidenceId),
  correctedById: orNull(correcting.evidenceId),
});
const LISTED = sql.part`FROM datacenter_evidence
  JOIN datacenter_cluster ON datacenter_cluster.cluster_seq = datacenter_evidence.cluster_seq
  JOIN datacenter_instance ON datacenter_instance.instance_seq = datacenter_evidence.instance_seq
  LEFT JOIN datacenter_evidence AS corrected ON corrected.receipt_seq = datacenter_evidence.corrects
  LEFT JOIN datacenter_evidence AS correcting ON correcting.receipt_seq = datacenter_evidence.superseded_by`;

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
  /** The item that the window corrects, which does not count; 0 for none. */
  corrects: number;
}

/** Returns the first item of an instance and event type whose window overlaps another; null if none does. */
export async function overlappingItem(
  snapshot: Snapshot,
  { instanceSeq, start, end, corrects }: InstanceWindow,
  eventType: TelemetryEvent,
): Promise<EvidenceItem | null> {
  const first = await firstOfType(snapshot, { instanceSeq, eventType, start, corrects });
  return first === null || first.windowStart >= end ? null : itemBySeq(snapshot, first.receiptSeq);
}

/** Returns which values of an instance no item of a class counts in any part of a window. */
export async function countableValues(
  snapshot: Snapshot,
  { instanceSeq, start, end, corrects }: InstanceWindow,
  telemetryClass: TelemetryClass,
): Promise<{ energy: boolean; thermal: boolean }> {
  const first = await counted(snapshot, { instanceSeq, class: telemetryClass, start, corrects });
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
  WHERE datacenter_evidence.receipt_seq < ${'before:receiptSeq'}
  ORDER BY datacenter_evidence.receipt_seq DESC LIMIT ${'limit'}`;

/** Returns the newest `limit` items of a cluster before a number, newest first. */
export const newestItemsOf = listedItems.rows`${LISTED}
  WHERE datacenter_evidence.cluster_seq = ${'clusterSeq'} AND datacenter_evidence.receipt_seq < ${'before:receiptSeq'}
  ORDER BY datacenter_evidence.receipt_seq DESC LIMIT ${'limit'}`;

/** Returns an item by its id, without its body; null for none. */
export const itemById = sql.joined(rowColumns)
  .row`FROM datacenter_evidence WHERE evidence_id = ${'evidenceId'}`;

/** Returns a corrected item of an instance with the end of a window and a digest; null for none. */
export const supersededItem = sql.joined(rowColumns).row`FROM datacenter_evidence
  WHERE superseded_by IS NOT NULL AND instance_seq = ${'instanceSeq'} AND window_end = ${'end:windowEnd'}
    AND payload_digest = ${'payloadDigest'} LIMIT 1`;

const supersededCounting = (flag: 'counts_energy' | 'counts_thermal') =>
  sql.exists(datacenterEvidence)`
    WHERE superseded_by IS NOT NULL AND instance_seq = ${'instanceSeq'} AND class = ${'class'}
      AND window_end > ${'start:windowEnd'} AND window_start < ${'end:windowStart'} AND ${sql.verbatim(flag)} = 1`;
const SUPERSEDED = {
  energy: supersededCounting('counts_energy'),
  thermal: supersededCounting('counts_thermal'),
};

/** Returns whether a corrected item of an instance counted for a part of a window. */
export function countedBefore(
  snapshot: Snapshot,
  values: keyof typeof SUPERSEDED,
  { instanceSeq, class: telemetryClass }: Pick<EvidenceItem, 'instanceSeq' | 'class'>,
  { start, end }: { start: number; end: number },
): Promise<boolean> {
  return SUPERSEDED[values](snapshot, { instanceSeq, class: telemetryClass, start, end });
}

/** Returns who signed the item that enrolled a meter in a class; null for an instance that is none. */
export const enrollingAgent = sql.joined({ agentSeq: datacenterEvidence.agentSeq }).row`FROM datacenter_meter
  JOIN datacenter_evidence ON datacenter_evidence.receipt_seq = datacenter_meter.enrolled_seq
  WHERE datacenter_meter.cluster_seq = ${'clusterSeq'} AND datacenter_meter.class = ${'class'}
    AND datacenter_meter.instance_seq = ${'instanceSeq'}`;

/** Says which receipt corrects an item: triggers take the item out of all sums. */
export const supersede = sql.update(datacenterEvidence, [
  'supersededBy',
])`WHERE receipt_seq = ${'receiptSeq'}`;

/** Returns when a meter was retired, in milliseconds since 1970; null while it is in service. */
export const retiredAt = sql.value(datacenterRetirement.retiredAt)`WHERE instance_seq = ${'instanceSeq'}`;

/** The end of the newest window of an instance that counts as energy, in each class; null for none. */
const lastEnd = (name: TelemetryClass) =>
  orNull(sql.number`(
    SELECT window_end FROM datacenter_evidence
    WHERE counts_energy = 1 AND superseded_by IS NULL AND instance_seq = ${'instanceSeq'}
      AND class = ${sql.verbatim(`'${name}'`)}
    ORDER BY window_end DESC LIMIT 1
  )`);
const lastEnds = sql.joined({
  hardware: lastEnd('hardware_measured'),
  declared: lastEnd('declared'),
  simulated: lastEnd('simulated'),
}).row`FROM (SELECT 1)`;

/** Returns the end of the newest window of a meter; null for an instance without energy. */
export async function lastWindowEnd(snapshot: Snapshot, instanceSeq: number): Promise<number | null> {
  const ends = await lastEnds(snapshot, instanceSeq);
  const known = Object.values(ends ?? {}).filter((end) => end !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Stores that a meter was retired: a trigger ends what is expected of it. */
export const insertRetirement = sql.insert(datacenterRetirement);
