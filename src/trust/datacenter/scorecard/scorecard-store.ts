import { and, eq, gt, gte, lte, max, min, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { datacenterDay, datacenterInstanceDay } from '../../../../db/trust/datacenter.ts';
import type { TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';

/** The sum of a column as a floating-point number: exact up to 2^53, and without an error beyond. */
const total = (column: SQLiteColumn) => sql<number>`total(${column})`;

const TOTALS = {
  evidence: total(datacenterDay.evidence),
  itMwh: total(datacenterDay.itMwh),
  itRows: total(datacenterDay.itRows),
  facilityMwh: total(datacenterDay.facilityMwh),
  facilityRows: total(datacenterDay.facilityRows),
  waterMl: total(datacenterDay.waterMl),
  waterRows: total(datacenterDay.waterRows),
  renewableMwh: total(datacenterDay.renewableMwh),
  renewableRows: total(datacenterDay.renewableRows),
  reusedMwh: total(datacenterDay.reusedMwh),
  reusedRows: total(datacenterDay.reusedRows),
  co2Mg: total(datacenterDay.co2Mg),
  co2FacilityMwh: total(datacenterDay.co2FacilityMwh),
  co2Rows: total(datacenterDay.co2Rows),
  pueFacilityMwh: total(datacenterDay.pueFacilityMwh),
  pueItMwh: total(datacenterDay.pueItMwh),
  pueMs: total(datacenterDay.pueMs),
  pueRows: total(datacenterDay.pueRows),
  cueCo2Mg: total(datacenterDay.cueCo2Mg),
  cueItMwh: total(datacenterDay.cueItMwh),
  cueMs: total(datacenterDay.cueMs),
  cueRows: total(datacenterDay.cueRows),
  wueWaterMl: total(datacenterDay.wueWaterMl),
  wueItMwh: total(datacenterDay.wueItMwh),
  wueMs: total(datacenterDay.wueMs),
  wueRows: total(datacenterDay.wueRows),
  refRenewableMwh: total(datacenterDay.refRenewableMwh),
  refFacilityMwh: total(datacenterDay.refFacilityMwh),
  refMs: total(datacenterDay.refMs),
  refRows: total(datacenterDay.refRows),
  erfReusedMwh: total(datacenterDay.erfReusedMwh),
  erfFacilityMwh: total(datacenterDay.erfFacilityMwh),
  erfMs: total(datacenterDay.erfMs),
  erfRows: total(datacenterDay.erfRows),
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

const inPeriod = () =>
  and(
    eq(datacenterDay.clusterSeq, bound(datacenterDay.clusterSeq, 'clusterSeq')),
    eq(datacenterDay.class, bound(datacenterDay.class, 'class')),
    gte(datacenterDay.day, bound(datacenterDay.day, 'fromDay')),
    lte(datacenterDay.day, bound(datacenterDay.day, 'toDay')),
  );

const query = statements((orm) => ({
  sums: () =>
    orm
      .select({
        ...TOTALS,
        firstStart: min(datacenterDay.firstStart),
        lastEnd: max(datacenterDay.lastEnd),
        powerMaxMw: max(datacenterDay.powerMaxMw),
        junctionMaxMc: max(datacenterDay.junctionMaxMc),
        inletMinMc: min(datacenterDay.inletMinMc),
        inletMaxMc: max(datacenterDay.inletMaxMc),
      })
      .from(datacenterDay)
      .where(inPeriod())
      .prepare(),
  /** Reads at most a row for each day, however many instances there are. */
  instances: () =>
    orm
      .select({
        instances: sql<number>`total(${datacenterInstanceDay.firsts}) - total(${datacenterInstanceDay.lasts})
          FILTER (WHERE ${datacenterInstanceDay.day} < ${bound(datacenterInstanceDay.day, 'fromDay')})`,
      })
      .from(datacenterInstanceDay)
      .where(
        and(
          eq(datacenterInstanceDay.clusterSeq, bound(datacenterInstanceDay.clusterSeq, 'clusterSeq')),
          eq(datacenterInstanceDay.class, bound(datacenterInstanceDay.class, 'class')),
          lte(datacenterInstanceDay.day, bound(datacenterInstanceDay.day, 'toDay')),
        ),
      )
      .prepare(),
  pue: () =>
    orm
      .select({
        day: datacenterDay.day,
        facilityMwh: datacenterDay.pueFacilityMwh,
        itMwh: datacenterDay.pueItMwh,
        rows: datacenterDay.pueRows,
      })
      .from(datacenterDay)
      .where(and(inPeriod(), gt(datacenterDay.pueItMwh, 0)))
      .orderBy(datacenterDay.day)
      .prepare(),
}));

/** The days that a metric is of, in days since 1970; both inclusive. */
export interface Days {
  fromDay: number;
  toDay: number;
}

/**
 * The sums of one class of a cluster's telemetry: energy in mWh, water in mL, emissions in mg, times in ms.
 */
export type ClassSums = Record<keyof typeof TOTALS, number> & {
  /** The first start and the last end of a window, in milliseconds since 1970. */
  firstStart: number;
  lastEnd: number;
  powerMaxMw: number | null;
  junctionMaxMc: number | null;
  inletMinMc: number | null;
  inletMaxMc: number | null;
  /** The instances that sent telemetry of the class in the period. */
  instances: number;
};

/** The PUE of a day: the sums of its numerator and its denominator. */
export interface PueDay {
  /** Days since 1970. */
  day: number;
  facilityMwh: number;
  itMwh: number;
  rows: number;
}

/** Returns the sums of one class of a cluster's telemetry over some days; null if there is none. */
export function classSums(
  snapshot: Snapshot,
  clusterSeq: number,
  name: TelemetryClass,
  days: Days,
): Promise<ClassSums | null> {
  return query(snapshot, (sql) => {
    const bounds = { clusterSeq, class: name, ...days };
    const sums = sql.sums.get(bounds);
    if (sums === undefined || sums.firstStart === null || sums.lastEnd === null) return null;
    const { firstStart, lastEnd } = sums;
    return { ...sums, firstStart, lastEnd, instances: sql.instances.get(bounds)?.instances ?? 0 };
  });
}

/** Returns the days of a class that have a PUE, oldest first. */
export function pueDays(
  snapshot: Snapshot,
  clusterSeq: number,
  name: TelemetryClass,
  days: Days,
): Promise<PueDay[]> {
  return query(snapshot, (sql) => sql.pue.all({ clusterSeq, class: name, ...days }));
}
