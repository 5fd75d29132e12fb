import { METERED_QUANTITIES, type MeteredQuantity } from '../../../../db/trust/datacenter-enums.ts';
import type { Steps } from '../../../proof/encoding/steps.ts';

/** The slots of 15 minutes of a day. */
export const DAY_SLOTS = 96;
/** The days of a step of `tallySteps`: some tens of µs, or 2 ms if a meter began or ended in each of them. */
const STEP_DAYS = 8;

/** For each quantity, the meters that cover some time, and the sum of it: mWh, mL, mg. */
export interface Covered {
  itMeters: number;
  facilityMeters: number;
  waterMeters: number;
  renewableMeters: number;
  reusedMeters: number;
  co2Meters: number;
  itMwh: number;
  facilityMwh: number;
  waterMl: number;
  renewableMwh: number;
  reusedMwh: number;
  co2Mg: number;
  /** The energy of items that correct none, corrected or not. */
  firstItMwh: number;
  firstFacilityMwh: number;
  /** The slots with a value that is late, of a correction, or of a window longer than an hour. */
  late: number;
  corrected: number;
  coarse: number;
}

/** The slots of one day that have values, one by one. */
export type DaySlots = readonly (Covered & { slot: number })[];

/** What is read for a period. Days and slots are numbered from 1970; both days are inclusive. */
export interface SlotReadings {
  fromDay: number;
  toDay: number;
  /** The meters that are expected at the start. */
  before: Readonly<Expected>;
  /** Later changes, by slot. */
  steps: readonly { slot: number; quantity: MeteredQuantity; change: number }[];
  /** The slots of each day by the meters that cover them, in the order of days. */
  groups: readonly (Covered & { day: number; slots: number })[];
  /** What covers whole days; it comes on top of the slots. */
  wholeDays: readonly (Covered & { day: number })[];
  /** The slots of the days within which the expected meters change. */
  single: ReadonlyMap<number, DaySlots>;
}

/** A ratio of ISO/IEC 30134. */
export type SlotMetric = 'pue' | 'cue' | 'wue' | 'ref' | 'erf';

type Expected = Record<MeteredQuantity, number>;
type Sums = Pick<
  Covered,
  | 'itMwh'
  | 'facilityMwh'
  | 'waterMl'
  | 'renewableMwh'
  | 'reusedMwh'
  | 'co2Mg'
  | 'firstItMwh'
  | 'firstFacilityMwh'
>;

/** The sums of a metric over its complete slots; `coarse` have a value of a window longer than an hour. */
export type MetricSlots = Sums & { slots: number; coarse: number };

export const NO_METERS: Readonly<Expected> = {
  it: 0,
  facility: 0,
  water: 0,
  renewable: 0,
  reused: 0,
  co2: 0,
  meter: 0,
};

const NOTHING: Readonly<Covered> = {
  itMeters: 0,
  facilityMeters: 0,
  waterMeters: 0,
  renewableMeters: 0,
  reusedMeters: 0,
  co2Meters: 0,
  itMwh: 0,
  facilityMwh: 0,
  waterMl: 0,
  renewableMwh: 0,
  reusedMwh: 0,
  co2Mg: 0,
  firstItMwh: 0,
  firstFacilityMwh: 0,
  late: 0,
  corrected: 0,
  coarse: 0,
};

/** What the slots of a period say. */
export type SlotTally = ReturnType<typeof tallySteps> extends Steps<infer Tally> ? Tally : never;

/**
 * Counts the complete slots of a period and sums them, for each metric. A slot is complete for a metric if as
 * many meters cover all of it with each of its quantities as are expected: what covers a slot is expected, so
 * the numbers are equal only if all do. A slot whose facility used less energy than its IT equipment is
 * impossible, and complete for no PUE and CUE. A step is some days.
 */
export function* tallySteps({ fromDay, toDay, before, steps, groups, wholeDays, single }: SlotReadings) {
  const expected: Expected = { ...before };
  /** The quantities that any meter had in the period. */
  const known = new Set<MeteredQuantity>(METERED_QUANTITIES.filter((name) => expected[name] > 0));
  const totals = {
    pue: emptySlots(),
    cue: emptySlots(),
    wue: emptySlots(),
    ref: emptySlots(),
    erf: emptySlots(),
  };
  const energy = emptySlots();
  const daily: { day: number; itMwh: number; facilityMwh: number; slots: number }[] = [];
  let impossible = 0;
  /** The slots that a meter covers, and those of them with a value that is late or of a correction. */
  const covered = { slots: 0, late: 0, corrected: 0 };
  let nextGroup = 0;
  const wholeByDay = new Map(wholeDays.map((row) => [row.day, row]));
  let next = 0;
  const stepsUntil = (slot: number): void => {
    for (let step = steps[next]; step !== undefined && step.slot <= slot; step = steps[++next]) {
      expected[step.quantity] += step.change;
      if (expected[step.quantity] > 0) known.add(step.quantity);
    }
  };

  for (let day = fromDay; day <= toDay; day++) {
    if (day % STEP_DAYS === 0) yield;
    const base = wholeByDay.get(day) ?? NOTHING;
    const ofDay = { day, itMwh: 0, facilityMwh: 0, slots: 0 };
    let coarseOfDay = 0;
    const count = (row: Covered, slots: number): void => {
      addTo(energy, row, slots, base);
      if (isCovered(row) || isCovered(base)) {
        covered.slots += slots;
        covered.late += marked('late', row, slots, base);
        covered.corrected += marked('corrected', row, slots, base);
      }
      // Shares of windows are whole numbers: each meter of a slot may be one mWh off, and no more.
      const rounding = slots * (row.itMeters + row.facilityMeters + base.itMeters + base.facilityMeters);
      const isBelow = facilityOf(row, slots, base) + rounding < itOf(row, slots, base);
      const it = isComplete(row.itMeters + base.itMeters, expected.it);
      const facility = isComplete(row.facilityMeters + base.facilityMeters, expected.facility);
      if (it && facility && isBelow) impossible += slots;
      if (it && facility && !isBelow) {
        addTo(totals.pue, row, slots, base);
        ofDay.slots += slots;
        ofDay.itMwh += itOf(row, slots, base);
        ofDay.facilityMwh += facilityOf(row, slots, base);
        coarseOfDay += marked('coarse', row, slots, base);
        // Every meter of the facility needs the carbon intensity.
        const needed = Math.max(expected.co2, expected.facility);
        if (isComplete(row.co2Meters + base.co2Meters, needed)) addTo(totals.cue, row, slots, base);
      }
      if (it && isComplete(row.waterMeters + base.waterMeters, expected.water))
        addTo(totals.wue, row, slots, base);
      if (facility && isComplete(row.renewableMeters + base.renewableMeters, expected.renewable))
        addTo(totals.ref, row, slots, base);
      if (facility && isComplete(row.reusedMeters + base.reusedMeters, expected.reused))
        addTo(totals.erf, row, slots, base);
    };
    stepsUntil(day * DAY_SLOTS);
    const own = single.get(day);
    while ((groups[nextGroup]?.day ?? day) < day) nextGroup++;
    if (own === undefined) {
      let rest = DAY_SLOTS;
      for (let group = groups[nextGroup]; group?.day === day; group = groups[++nextGroup]) {
        count(group, group.slots);
        rest -= group.slots;
      }
      // Slots without values of their own, which something that covers the whole day may cover.
      if (base !== NOTHING) count(NOTHING, rest);
    } else {
      const bySlot = new Map(own.map((row) => [row.slot, row]));
      for (let slot = day * DAY_SLOTS; slot < (day + 1) * DAY_SLOTS; slot++) {
        stepsUntil(slot);
        count(bySlot.get(slot) ?? NOTHING, 1);
      }
    }
    // A window that is longer than an hour says nothing of one day apart from the others.
    if (ofDay.itMwh > 0 && coarseOfDay === 0) daily.push(ofDay);
  }
  return {
    totals,
    energy,
    daily,
    covered,
    /** The slots with less energy of the facility than of its IT equipment. */
    impossible,
    /** The slots of the period. */
    slots: (toDay - fromDay + 1) * DAY_SLOTS,
    known,
    isEmpty: groups.length === 0 && wholeDays.length === 0,
    /** The meters in service at the end of the period. */
    meters: { it: expected.it, facility: expected.facility, all: expected.meter },
  };
}

/** Returns whether all meters of a quantity cover each slot of a row, and there is one. */
const isComplete = (meters: number, needed: number): boolean => needed > 0 && meters === needed;

/** Returns whether a meter covers each slot of a row with any quantity. */
const isCovered = (row: Covered): boolean =>
  row.itMeters + row.facilityMeters + row.waterMeters + row.renewableMeters + row.reusedMeters > 0;

/** Returns how many slots of a row have a mark: all, if what covers the whole day has it. */
const marked = (mark: 'late' | 'corrected' | 'coarse', row: Covered, slots: number, base: Covered): number =>
  base[mark] > 0 ? slots : row[mark];

const emptySlots = (): MetricSlots => ({
  slots: 0,
  coarse: 0,
  itMwh: 0,
  facilityMwh: 0,
  waterMl: 0,
  renewableMwh: 0,
  reusedMwh: 0,
  co2Mg: 0,
  firstItMwh: 0,
  firstFacilityMwh: 0,
});

/** What covers a whole day has the same share in each of its slots. */
function addTo(sums: MetricSlots, row: Covered, slots: number, base: Covered): void {
  const share = slots / DAY_SLOTS;
  sums.slots += slots;
  sums.coarse += marked('coarse', row, slots, base);
  sums.itMwh += row.itMwh + base.itMwh * share;
  sums.facilityMwh += row.facilityMwh + base.facilityMwh * share;
  sums.waterMl += row.waterMl + base.waterMl * share;
  sums.renewableMwh += row.renewableMwh + base.renewableMwh * share;
  sums.reusedMwh += row.reusedMwh + base.reusedMwh * share;
  sums.co2Mg += row.co2Mg + base.co2Mg * share;
  sums.firstItMwh += row.firstItMwh + base.firstItMwh * share;
  sums.firstFacilityMwh += row.firstFacilityMwh + base.firstFacilityMwh * share;
}

const itOf = (row: Covered, slots: number, base: Covered): number =>
  row.itMwh + (base.itMwh * slots) / DAY_SLOTS;
const facilityOf = (row: Covered, slots: number, base: Covered): number =>
  row.facilityMwh + (base.facilityMwh * slots) / DAY_SLOTS;
