import { TELEMETRY_CLASSES, type TelemetryClass } from '../../../../db/trust/datacenter-enums.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import type { Period } from '../../../proof/package/coverage.ts';
import type { ClusterCount, ClusterSet } from '../../../proof/package/frameworks/vocabulary.ts';
import { FIRST_LEAF } from '../../log/logs.ts';
import { pueLine } from '../page/pue-words.ts';
import type { metricsOf } from '../scorecard/metrics.ts';
import { G_PER_KG, MG_PER_KG, ML_PER_L, MWH_PER_KWH, rounded, scaled } from '../units.ts';
import type { TelemetryItem } from './telemetry-store.ts';

/** The sums of one class of telemetry. A sum is null while no item has the value: 0 is a measurement. */
interface Sums {
  energyItems: number;
  itMwh: number | null;
  estimatedItMwh: number | null;
  facilityMwh: number | null;
  renewableMwh: number | null;
  reusedMwh: number | null;
  waterMl: number | null;
  emissionsMg: number | null;
  /** The energy of facilities with a carbon intensity, and without. */
  withIntensityMwh: number;
  withoutIntensityMwh: number;
  avoidedItems: number;
  avoidedG: number | null;
  savedMwh: number | null;
}

/** What a scorecard says of the same UTC days about the PUE of a class; null without telemetry. */
export type PuePeriod = ReturnType<typeof puePeriodOf> | null;

/**
 * Returns what a package says of a PUE: all that limits it, too.
 * @param period the period of the package
 */
export function puePeriodOf(
  { pue, late_share, corrected_share, longest_window_s, meters }: ReturnType<typeof metricsOf>,
  period: Period,
) {
  const said = { pue, late_share, corrected_share, longest_window_s, meters };
  return { pue_statement: pue.value === null ? null : pueLine(said, period), ...said };
}

/** The values of an item that are spread over the time of its window. */
const SPREAD = [
  'itMwh',
  'facilityMwh',
  'waterMl',
  'renewableMwh',
  'reusedMwh',
  'powerMwh',
  'co2Mg',
  'savedMwh',
  'avoidedG',
] as const satisfies readonly (keyof TelemetryItem)[];

type Spread = Pick<TelemetryItem, (typeof SPREAD)[number]>;

/**
 * Counts the telemetry of a cluster for a package: the counts and leaves of its controls, and its sums. A
 * window that the period cuts counts by time, so that its end moves no energy in or out.
 */
export class TelemetryTally {
  readonly counts: Record<ClusterCount, number> = {
    telemetry: 0,
    hardware_measured: 0,
    declared: 0,
    simulated: 0,
    energy: 0,
    energy_hardware_measured: 0,
    facility_energy: 0,
    carbon_intensity: 0,
    renewable_energy: 0,
    instances: 0,
    measured_days: 0,
    thermal_audits: 0,
    setpoint_changes: 0,
    avoided: 0,
  };
  private readonly leaves: Record<ClusterSet, number[]> = { telemetry: [], energy: [], avoided: [] };
  private readonly sums = new Map<TelemetryClass, Sums>();
  private readonly instances = new Set<number>();
  /** The UTC days with an item, and with one whose energy counts, since 1970-01-01. */
  readonly days = new Set<number>();
  readonly energyDays = new Set<number>();

  /** @param from inclusive, to exclusive: milliseconds since 1970 */
  constructor(private readonly period: { from: number; to: number }) {}

  /** Adds an item whose window is in the period, or reaches into it. */
  add(item: TelemetryItem): void {
    const { counts } = this;
    // It stays in the log and is cited, and counts in nothing else.
    if (item.supersededBy !== null) {
      if (item.class !== 'simulated') this.leaves.telemetry.push(item.leafSeq - FIRST_LEAF);
      return;
    }
    const isAvoided = item.eventType === 'CARBON_AVOIDED_ACCRUAL';
    const hasEnergy =
      item.countsEnergy && (item.itMwh !== null || item.facilityMwh !== null || item.powerMwh !== null);
    this.sum(item, { isAvoided, hasEnergy });
    if (item.class === 'simulated') {
      counts.simulated++;
      return;
    }
    const leaf = item.leafSeq - FIRST_LEAF;
    if (isAvoided) {
      counts.avoided++;
      this.leaves.avoided.push(leaf);
      return;
    }
    counts.telemetry++;
    counts[item.class]++;
    this.leaves.telemetry.push(leaf);
    this.instances.add(item.instanceSeq);
    const day = this.dayOf(item);
    this.days.add(day);
    counts.instances = this.instances.size;
    counts.measured_days = this.days.size;
    if (item.eventType === 'THERMAL_SAFETY_AUDIT') counts.thermal_audits++;
    if (item.eventType === 'POLICY_SETPOINT_TRANSITION') counts.setpoint_changes++;
    if (!hasEnergy) return;
    counts.energy++;
    this.energyDays.add(day);
    this.leaves.energy.push(leaf);
    if (item.class === 'hardware_measured') counts.energy_hardware_measured++;
    if (item.itMwh !== null && item.facilityMwh !== null) counts.facility_energy++;
    // No grid has a carbon intensity of 0.
    if ((item.co2Mg ?? 0) > 0) counts.carbon_intensity++;
    if (item.renewableMwh !== null) counts.renewable_energy++;
  }

  /** Returns the last UTC day of the period in which the window of an item is. */
  private dayOf({ windowEnd }: TelemetryItem): number {
    return Math.floor((Math.min(windowEnd, this.period.to) - 1) / DAY_MS);
  }

  /** Returns the parts of the values of an item that are in the period, by time. */
  private inPeriod(item: TelemetryItem): Spread {
    const since = Math.max(this.period.from - item.windowStart, 0);
    const till = Math.min(this.period.to, item.windowEnd) - item.windowStart;
    const duration = item.windowEnd - item.windowStart;
    if (since === 0 && till === duration) return item;
    const parts: Spread = { ...NO_PARTS };
    for (const name of SPREAD) {
      const value = item[name];
      if (value !== null) parts[name] = partOf(value, since, till, duration);
    }
    return parts;
  }

  /** Returns the leaves of a set, ascending. They arrived almost in this order. */
  leavesOf(set: ClusterSet): number[] {
    const leaves = this.leaves[set];
    const isAscending = leaves.every((leaf, index) => index === 0 || leaf > (leaves[index - 1] ?? leaf));
    return isAscending ? leaves : leaves.toSorted((one, other) => one - other);
  }

  /**
   * Returns the metrics of a package by class: energy, the inventory of emissions, and avoided emissions.
   * @param pue the PUE of each class over the days of the period
   */
  sections(pue: Readonly<Record<TelemetryClass, PuePeriod>>) {
    return {
      energy: {
        about:
          'Energy of the cluster in the period, kWh; a window that the period cuts counts by time. estimated_it_kwh is mean power times time, for items without IT energy. pue and its limits are those of a scorecard of the UTC days that the period touches.',
        ...this.byClass((sums, name) => energyOf(sums, pue[name])),
      },
      inventory: {
        standard: 'ISO 14064-1:2018',
        about:
          'Indirect emissions of imported energy: energy of the facility times the carbon intensity of the grid, kg of CO2e.',
        ...this.byClass(inventoryOf),
      },
      avoided: {
        standard: 'ISO 14064-2:2019',
        about: 'Avoided emissions as they were sent. They are no part of the inventory.',
        ...this.byClass(avoidedOf),
      },
    };
  }

  private byClass<Section>(
    of: (sums: Sums, name: TelemetryClass) => Section | null,
  ): Record<TelemetryClass, Section | null> {
    const section = (name: TelemetryClass): Section | null => {
      const sums = this.sums.get(name);
      return sums === undefined ? null : of(sums, name);
    };
    const [hardware, declared, simulated] = TELEMETRY_CLASSES;
    return {
      [hardware]: section(hardware),
      [declared]: section(declared),
      [simulated]: section(simulated),
    };
  }

  private sum(
    item: TelemetryItem,
    { isAvoided, hasEnergy }: { isAvoided: boolean; hasEnergy: boolean },
  ): void {
    const sums = this.sums.get(item.class) ?? { ...NO_SUMS };
    this.sums.set(item.class, sums);
    const part = this.inPeriod(item);
    if (isAvoided) {
      sums.avoidedItems++;
      sums.avoidedG = plus(sums.avoidedG, part.avoidedG);
      sums.savedMwh = plus(sums.savedMwh, part.savedMwh);
    }
    if (!item.countsEnergy) return;
    if (hasEnergy) sums.energyItems++;
    sums.itMwh = plus(sums.itMwh, part.itMwh);
    if (part.itMwh === null) sums.estimatedItMwh = plus(sums.estimatedItMwh, part.powerMwh);
    sums.facilityMwh = plus(sums.facilityMwh, part.facilityMwh);
    sums.renewableMwh = plus(sums.renewableMwh, part.renewableMwh);
    sums.reusedMwh = plus(sums.reusedMwh, part.reusedMwh);
    sums.waterMl = plus(sums.waterMl, part.waterMl);
    sums.emissionsMg = plus(sums.emissionsMg, part.co2Mg);
    if (part.co2Mg === null) sums.withoutIntensityMwh += part.facilityMwh ?? 0;
    else sums.withIntensityMwh += part.facilityMwh ?? 0;
  }
}

const NO_SUMS: Readonly<Sums> = {
  energyItems: 0,
  itMwh: null,
  estimatedItMwh: null,
  facilityMwh: null,
  renewableMwh: null,
  reusedMwh: null,
  waterMl: null,
  emissionsMg: null,
  withIntensityMwh: 0,
  withoutIntensityMwh: 0,
  avoidedItems: 0,
  avoidedG: null,
  savedMwh: null,
};

const NO_PARTS: Readonly<Spread> = {
  itMwh: null,
  facilityMwh: null,
  waterMl: null,
  renewableMwh: null,
  reusedMwh: null,
  powerMwh: null,
  co2Mg: null,
  savedMwh: null,
  avoidedG: null,
};

/**
 * Returns the part of a value between two times of its window. The parts of adjacent times add up to it. A
 * product can exceed 2^53, so it is a BigInt.
 */
function partOf(value: number, since: number, till: number, duration: number): number {
  const until = (time: number): bigint => (BigInt(value) * BigInt(time)) / BigInt(duration);
  return Number(until(till) - until(since));
}

function energyOf(sums: Sums, pue: PuePeriod) {
  if (sums.energyItems === 0 && sums.waterMl === null) return null;
  return {
    items: sums.energyItems,
    it_kwh: scaled(sums.itMwh, MWH_PER_KWH),
    estimated_it_kwh: scaled(sums.estimatedItMwh, MWH_PER_KWH),
    facility_kwh: scaled(sums.facilityMwh, MWH_PER_KWH),
    renewable_kwh: scaled(sums.renewableMwh, MWH_PER_KWH),
    reused_kwh: scaled(sums.reusedMwh, MWH_PER_KWH),
    water_l: scaled(sums.waterMl, ML_PER_L),
    ...pue,
  };
}

function inventoryOf(sums: Sums) {
  if (sums.withIntensityMwh === 0 && sums.withoutIntensityMwh === 0) return null;
  return {
    emissions_kg: scaled(sums.emissionsMg, MG_PER_KG),
    energy_with_intensity_kwh: rounded(sums.withIntensityMwh / MWH_PER_KWH),
    energy_without_intensity_kwh: rounded(sums.withoutIntensityMwh / MWH_PER_KWH),
  };
}

function avoidedOf(sums: Sums) {
  if (sums.avoidedItems === 0) return null;
  return {
    items: sums.avoidedItems,
    avoided_kg: scaled(sums.avoidedG, G_PER_KG),
    energy_saved_kwh: scaled(sums.savedMwh, MWH_PER_KWH),
  };
}

function plus(sum: number | null, value: number | null): number | null {
  return value === null ? sum : (sum ?? 0) + value;
}
