import {
  G_PER_KG,
  MC_PER_C,
  MG_PER_KG,
  ML_PER_L,
  MW_PER_W,
  MWH_PER_KWH,
  ratio,
  rounded,
  scaled,
} from '../units.ts';
import type { ClassSums, PueDay } from './scorecard-store.ts';

const DAY_MS = 86_400_000;
/** A metric of less than a year is an interim one (ISO/IEC 30134-2 section 7: annual and interim values). */
const YEAR_MS = 365 * DAY_MS;

const MS_PER_HOUR = 3600_000;

/** The standards whose metrics a scorecard shows. */
export const STANDARDS = {
  pue: 'ISO/IEC 30134-2:2016',
  ref: 'ISO/IEC 30134-3:2016',
  erf: 'ISO/IEC 30134-6:2021',
  cue: 'ISO/IEC 30134-8:2022',
  wue: 'ISO/IEC 30134-9:2022',
  avoided: 'ISO 14064-2:2019',
} as const;

/**
 * Returns the metrics of one class of telemetry over a period. A ratio counts only rows that have both of its
 * values. Its value is null without any.
 */
export function metricsOf(sums: ClassSums) {
  const window = { from: at(sums.firstStart), to: at(sums.lastEnd) };
  const span = sums.lastEnd - sums.firstStart;
  const interim = span < YEAR_MS;
  const metric = <const Standard extends string | null>(
    value: number | null,
    unit: string,
    standard: Standard,
    [ms, count]: readonly [number, number],
  ) => ({
    value: count === 0 ? null : value,
    unit,
    standard,
    interim,
    window,
    coverage: coverageOf(ms, sums.instances, span),
    count,
  });
  const { pueMs, pueRows, cueMs, cueRows, wueMs, wueRows, refMs, refRows, erfMs, erfRows } = sums;
  return {
    evidence_count: sums.evidence,
    instances: sums.instances,
    window,
    pue: metric(ratio(sums.pueFacilityMwh, sums.pueItMwh), '1', STANDARDS.pue, [pueMs, pueRows]),
    cue: metric(ratio(sums.cueCo2Mg / MG_PER_KG, sums.cueItMwh / MWH_PER_KWH), 'kg/kWh', STANDARDS.cue, [
      cueMs,
      cueRows,
    ]),
    wue: metric(ratio(sums.wueWaterMl / ML_PER_L, sums.wueItMwh / MWH_PER_KWH), 'L/kWh', STANDARDS.wue, [
      wueMs,
      wueRows,
    ]),
    ref: metric(ratio(sums.refRenewableMwh, sums.refFacilityMwh), '1', STANDARDS.ref, [refMs, refRows]),
    erf: metric(ratio(sums.erfReusedMwh, sums.erfFacilityMwh), '1', STANDARDS.erf, [erfMs, erfRows]),
    power: {
      ...metric(ratio(sums.powerMwh / MW_PER_W, sums.powerMs / MS_PER_HOUR), 'W', null, [
        sums.powerMs,
        sums.powerRows,
      ]),
      max: scaled(sums.powerMaxMw, MW_PER_W),
      share_of_nameplate: ratio(sums.ratedPowerMwh, sums.ratedNameplateMwh),
    },
    thermal: {
      ...metric(scaled(sums.junctionMaxMc, MC_PER_C), 'Cel', null, [sums.thermalMs, sums.thermalRows]),
      inlet_min: scaled(sums.inletMinMc, MC_PER_C),
      inlet_mean: ratio(sums.inletMcS / MC_PER_C, sums.inletMs / 1000),
      inlet_max: scaled(sums.inletMaxMc, MC_PER_C),
      throttled_count: sums.throttledRows,
      setpoint_applied_count: sums.setpointApplied,
      setpoint_count: sums.setpointRows,
    },
    avoided: {
      ...metric(rounded(sums.avoidedG / G_PER_KG), 'kg', STANDARDS.avoided, [
        sums.avoidedMs,
        sums.avoidedRows,
      ]),
      energy_saved_kwh: sumOf(sums.savedMwh, MWH_PER_KWH, sums.avoidedRows),
    },
    energy: {
      it_kwh: sumOf(sums.itMwh, MWH_PER_KWH, sums.itRows),
      facility_kwh: sumOf(sums.facilityMwh, MWH_PER_KWH, sums.facilityRows),
      renewable_kwh: sumOf(sums.renewableMwh, MWH_PER_KWH, sums.renewableRows),
      reused_kwh: sumOf(sums.reusedMwh, MWH_PER_KWH, sums.reusedRows),
      water_l: sumOf(sums.waterMl, ML_PER_L, sums.waterRows),
      emissions_kg: sumOf(sums.co2Mg, MG_PER_KG, sums.co2Rows),
    },
  };
}

/** Returns the PUE of each day that has one, as a scorecard shows it. */
export function seriesOf(days: readonly PueDay[]) {
  return days.map(({ day, facilityMwh, itMwh, rows }) => ({
    day: at(day * DAY_MS).slice(0, 10),
    pue: ratio(facilityMwh, itMwh),
    count: rows,
  }));
}

/** Returns a sum in its unit; null if no item has the value, since 0 would say that it was measured. */
function sumOf(sum: number, divisor: number, items: number): number | null {
  return scaled(items === 0 ? null : sum, divisor);
}

/** Returns the share of the time of all instances that rows cover. Rows that count do not overlap. */
function coverageOf(ms: number, instances: number, span: number): number {
  return instances === 0 || span === 0 ? 0 : rounded(Math.min(1, ms / (instances * span)));
}

function at(time: number): string {
  return new Date(time).toISOString();
}
