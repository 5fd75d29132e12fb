import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import { SLOT_MS } from '../pieces.ts';
import { STANDARDS } from '../standards.ts';
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
import type { MeterCounts } from './instruments-store.ts';
import type { ClassSums } from './scorecard-store.ts';
import type { SlotMetric, SlotTally } from './slots.ts';

const MS_PER_HOUR = 3600_000;
/** A metric of less than a year is an interim one. */
const YEAR_SLOTS = 365 * 96;
/** How much of a year must be complete for an annual metric. */
const ANNUAL_COVERAGE = 0.95;

/** How many of the slots may have values that arrived late, or that were corrected, for an annual metric. */
const ANNUAL_LATE = 0.05;
const ANNUAL_CORRECTED = 0.05;

/** What is known of one class of telemetry in a period. */
export interface ClassReadings {
  /** By item; null if no item ends in the period. */
  sums: ClassSums | null;
  /** By slot. */
  tally: SlotTally;
  meters: MeterCounts;
  /** The retired meters of IT equipment or of the facility whose place none took. */
  unreplaced: number;
}

/**
 * Returns the metrics of one class of telemetry over a period. A ratio counts only complete slots. Its value
 * is null without any.
 */
export function metricsOf({ sums, tally, meters, unreplaced }: ClassReadings) {
  const window = sums === null ? null : { from: timestampOf(sums.firstStart), to: timestampOf(sums.lastEnd) };
  const late = markedShareOf(tally.covered.late, tally.covered.slots);
  const corrected = markedShareOf(tally.covered.corrected, tally.covered.slots);
  const isTrusted = (late ?? 0) <= ANNUAL_LATE && (corrected ?? 0) <= ANNUAL_CORRECTED;
  const interimOf = (coverage: number): boolean =>
    tally.slots < YEAR_SLOTS || coverage < ANNUAL_COVERAGE || !isTrusted;
  const itemMetric = <const Standard extends string | null>(
    value: number | null,
    unit: string,
    standard: Standard,
    [ms, count]: readonly [number | undefined, number | undefined],
  ) => {
    const coverage = shareOf(ms ?? 0, (sums?.instances ?? 0) * tally.slots * SLOT_MS);
    const interim = interimOf(coverage);
    return {
      value: (count ?? 0) === 0 ? null : value,
      unit,
      standard,
      interim,
      coverage,
      count: count ?? 0,
    };
  };
  const slotMetric = <const Standard extends string>(
    name: SlotMetric,
    value: number | null,
    unit: string,
    standard: Standard,
  ) => {
    const { slots, coarse } = tally.totals[name];
    // A window that is longer than an hour counts in the ratio, and makes none of a year.
    const interim = unreplaced > 0 || interimOf(shareOf(slots - coarse, tally.slots));
    return { value, unit, standard, interim, coverage: shareOf(slots, tally.slots), slots };
  };
  const { pue, cue, wue, ref, erf } = tally.totals;
  const category = sums === null ? null : categoryOf(sums);
  const categoryMetric = <const Standard extends string>(
    ...metric: Parameters<typeof slotMetric<Standard>>
  ) => {
    const { interim, ...others } = slotMetric(...metric);
    return { ...others, interim: interim || category === null, category };
  };
  const pueValue = ratio(pue.facilityMwh, pue.itMwh);
  const { energy, known } = tally;
  const energySum = (
    of: 'it' | 'facility' | 'water' | 'renewable' | 'reused' | 'co2',
    sum: number,
    unit: number,
  ) => (known.has(of) ? rounded(sum / unit) : null);
  return {
    evidence_count: sums?.evidence ?? 0,
    corrected_count: sums?.corrected ?? 0,
    instances: sums?.instances ?? 0,
    late_share: late,
    corrected_share: corrected,
    longest_window_s: sums === null || sums.longestMs === 0 ? null : Math.ceil(sums.longestMs / 1000),
    window,
    meters: {
      count: tally.meters.all,
      it: tally.meters.it,
      facility: tally.meters.facility,
      unreplaced,
      ...meters,
    },
    pue: {
      ...categoryMetric('pue', pueValue, '1', STANDARDS.pue),
      first_sent: ratio(pue.firstFacilityMwh, pue.firstItMwh),
      exactly_one: pueValue === 1,
      impossible_slots: tally.impossible,
      coarse_slots: pue.coarse,
    },
    cue: categoryMetric(
      'cue',
      ratio(cue.co2Mg / MG_PER_KG, cue.itMwh / MWH_PER_KWH),
      'kg/kWh',
      STANDARDS.cue,
    ),
    wue: categoryMetric(
      'wue',
      ratio(wue.waterMl / ML_PER_L, wue.itMwh / MWH_PER_KWH),
      'L/kWh',
      STANDARDS.wue,
    ),
    ref: slotMetric('ref', ratio(ref.renewableMwh, ref.facilityMwh), '1', STANDARDS.ref),
    erf: slotMetric('erf', ratio(erf.reusedMwh, erf.facilityMwh), '1', STANDARDS.erf),
    power: {
      ...itemMetric(
        sums === null ? null : ratio(sums.powerMwh / MW_PER_W, sums.powerMs / MS_PER_HOUR),
        'W',
        null,
        [sums?.powerMs, sums?.powerRows],
      ),
      max: scaled(sums?.powerMaxMw ?? null, MW_PER_W),
      share_of_nameplate: sums === null ? null : ratio(sums.ratedPowerMwh, sums.ratedNameplateMwh),
    },
    thermal: {
      ...itemMetric(scaled(sums?.junctionMaxMc ?? null, MC_PER_C), 'Cel', null, [
        sums?.thermalMs,
        sums?.thermalRows,
      ]),
      inlet_min: scaled(sums?.inletMinMc ?? null, MC_PER_C),
      inlet_mean: sums === null ? null : ratio(sums.inletMcS / MC_PER_C, sums.inletMs / 1000),
      inlet_max: scaled(sums?.inletMaxMc ?? null, MC_PER_C),
      throttled_count: sums?.throttledRows ?? 0,
      setpoint_applied_count: sums?.setpointApplied ?? 0,
      setpoint_count: sums?.setpointRows ?? 0,
    },
    avoided: {
      ...itemMetric(scaled(sums?.avoidedG ?? null, G_PER_KG), 'kg', STANDARDS.avoided, [
        sums?.avoidedMs,
        sums?.avoidedRows,
      ]),
      energy_saved_kwh: (sums?.avoidedRows ?? 0) === 0 ? null : scaled(sums?.savedMwh ?? null, MWH_PER_KWH),
    },
    energy: {
      it_kwh: energySum('it', energy.itMwh, MWH_PER_KWH),
      facility_kwh: energySum('facility', energy.facilityMwh, MWH_PER_KWH),
      renewable_kwh: energySum('renewable', energy.renewableMwh, MWH_PER_KWH),
      reused_kwh: energySum('reused', energy.reusedMwh, MWH_PER_KWH),
      water_l: energySum('water', energy.waterMl, ML_PER_L),
      emissions_kg: energySum('co2', energy.co2Mg, MG_PER_KG),
    },
  };
}

/** Returns the PUE of each day that has one, as a scorecard shows it. */
export function seriesOf({ daily }: SlotTally) {
  return daily.map(({ day, facilityMwh, itMwh, slots }) => ({
    day: dateOf(day),
    pue: ratio(facilityMwh, itMwh),
    slots,
  }));
}

/**
 * Returns the measurement category of IT energy: the lowest that was stated; null if an item has none. The
 * word of the operator.
 */
function categoryOf({ itRows, category1Rows, category2Rows, category3Rows }: ClassSums): number | null {
  const rows = [category1Rows, category2Rows, category3Rows];
  const stated = rows.reduce((sum, count) => sum + count, 0);
  return itRows === 0 || stated < itRows ? null : rows.findIndex((count) => count > 0) + 1;
}

/** Returns the share of covered slots that have a mark, rounded up; null if no meter covers a slot. */
function markedShareOf(slots: number, covered: number): number | null {
  return covered === 0 ? null : Math.ceil((slots / covered) * 1e4) / 1e4;
}

/** Returns a share from 0 to 1, rounded down: a coverage below a limit never reaches it by rounding. */
function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor(Math.min(1, part / whole) * 1e4) / 1e4;
}

/** The dates of days since 1970, which all scorecards have in common: at most those of 30 years. */
const dates = new Map<number, string>();
const MOST_DATES = 11_000;

/** Returns the date of a day since 1970: YYYY-MM-DD. */
function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const date = timestampOf(day * DAY_MS).slice(0, 10);
  if (dates.size < MOST_DATES) dates.set(day, date);
  return date;
}
