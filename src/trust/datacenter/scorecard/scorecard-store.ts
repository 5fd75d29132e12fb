import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { datacenterDay, datacenterInstanceDay } from '../../../../db/trust/datacenter.ts';
import type { TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ datacenterDay, datacenterInstanceDay });

/** The sum of a column as a floating-point number: exact up to 2^53, and without an error beyond. */
const total = (column: SQLiteColumn) => sql.number`total(${sql.verbatim(column.name)})`;

const TOTALS = {
  evidence: total(datacenterDay.evidence),
  corrected: total(datacenterDay.corrected),
  itRows: total(datacenterDay.itRows),
  category1Rows: total(datacenterDay.category1Rows),
  category2Rows: total(datacenterDay.category2Rows),
  category3Rows: total(datacenterDay.category3Rows),
  powerMwh: total(datacenterDay.powerMwh),
  powerMs: total(datacenterDay.powerMs),
  powerRows: total(datacenterDay.powerRows),
  ratedPowerMwh: total(datacenterDay.ratedPowerMwh),
  ratedNameplateMwh: total(datacenterDay.ratedNameplateMwh),
  thermalMs: total(datacenterDay.thermalMs),
  thermalRows: total(datacenterDay.thermalRows),
  inletMcS: total(datacenterDay.inletMcS),
  inletMs: total(datacenterDay.inletMs),
  throttledRows: total(datacenterDay.throttledRows),
  setpointRows: total(datacenterDay.setpointRows),
  setpointApplied: total(datacenterDay.setpointApplied),
  savedMwh: total(datacenterDay.savedMwh),
  avoidedG: total(datacenterDay.avoidedG),
  avoidedMs: total(datacenterDay.avoidedMs),
  avoidedRows: total(datacenterDay.avoidedRows),
};

const IN_PERIOD = sql.part`FROM datacenter_day
  WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND day >= ${'fromDay:day'} AND day <= ${'toDay:day'}`;

const periodSums = sql.joined({
  ...TOTALS,
  firstStart: orNull(sql.number`min(first_start)`),
  lastEnd: orNull(sql.number`max(last_end)`),
  longestMs: sql.number`coalesce(max(longest_ms), 0)`,
  powerMaxMw: orNull(sql.number`max(power_max_mw)`),
  junctionMaxMc: orNull(sql.number`max(junction_max_mc)`),
  inletMinMc: orNull(sql.number`min(inlet_min_mc)`),
  inletMaxMc: orNull(sql.number`max(inlet_max_mc)`),
}).row`${IN_PERIOD}`;
/** Reads at most a row for each day, however many instances there are. */
const instances = sql.value(sql.number`total(firsts) - total(lasts) FILTER (WHERE day < ${'fromDay:day'})`)`
  FROM datacenter_instance_day
  WHERE cluster_seq = ${'clusterSeq'} AND class = ${'class'} AND day <= ${'toDay:day'}`;

/** The days that a metric is of, in days since 1970; both inclusive. */
export interface Days {
  fromDay: number;
  toDay: number;
}

/**
 * What is summed by item, of one class of a cluster's telemetry: energy in mWh, times in ms.
 */
export type ClassSums = Record<keyof typeof TOTALS, number> & {
  /** The first start and the last end of a window, in milliseconds since 1970. */
  firstStart: number;
  lastEnd: number;
  /** The longest window with energy of the IT equipment or of the facility; 0 for none. */
  longestMs: number;
  powerMaxMw: number | null;
  junctionMaxMc: number | null;
  inletMinMc: number | null;
  inletMaxMc: number | null;
  /** The instances that sent telemetry of the class in the period. */
  instances: number;
};

/** Returns the sums of one class of a cluster's telemetry over some days; null if there is none. */
export function classSums(
  snapshot: Snapshot,
  clusterSeq: number,
  name: TelemetryClass,
  days: Days,
): Promise<ClassSums | null> {
  return runQuery(snapshot, (connection) => {
    const bounds = { clusterSeq, class: name, ...days };
    const sums = periodSums.on(connection, bounds);
    if (sums === null || sums.firstStart === null || sums.lastEnd === null) return null;
    const { firstStart, lastEnd } = sums;
    return { ...sums, firstStart, lastEnd, instances: instances.on(connection, bounds) ?? 0 };
  });
}
