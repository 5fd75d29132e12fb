import type { TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import { meterCounts } from './instruments-store.ts';
import { metricsOf } from './metrics.ts';
import { classSums, type Days } from './scorecard-store.ts';
import { slotTally, unreplacedMeters } from './slot-store.ts';

/**
 * Returns the metrics of one class of a cluster's telemetry over some days, and the slots that they come
 * from; null if the class has nothing in them.
 */
export async function classMetrics(snapshot: Snapshot, clusterSeq: number, name: TelemetryClass, days: Days) {
  const sums = await classSums(snapshot, clusterSeq, name, days);
  const tally = await slotTally(snapshot, clusterSeq, name, days);
  if (sums === null && tally.isEmpty) return null;
  const meters = await meterCounts(snapshot, clusterSeq, name);
  // Only a retirement takes a meter out of service.
  const unreplaced =
    meters.retired === 0 ? 0 : await unreplacedMeters(snapshot, clusterSeq, name, days, tally.meters);
  return { metrics: metricsOf({ sums, tally, meters, unreplaced }), tally };
}
