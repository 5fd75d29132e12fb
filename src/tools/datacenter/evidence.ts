import { timestampOf } from '../../platform/time/timestamp.ts';
import { DAY_MS } from '../../platform/time/units.ts';
import type { JsonObject } from '../../proof/encoding/json.ts';
import {
  CAP_FRACTION,
  CAP_MINUTE,
  type Hall,
  RACK_NAMEPLATE_W,
  RACK_SKU,
  type RackSample,
  rounded,
  samplesOf,
} from './hall.ts';

/** The source that every simulated body names. */
const SOURCE = 'countersign datacenter simulate';
/** The number of thermal audits of a rack in a day. */
const AUDITS = 4;

/**
 * Returns the bodies of `POST /api/v1/datacenter/evidence` for a simulated day, in the order in which their
 * windows end. Each rack has its energy in every window, four thermal audits, the setpoint transition in the
 * evening, and the carbon that the transition avoided. All are `synthetic`, so that the service never counts
 * them as measured or declared.
 */
export function evidenceOf(hall: Hall): JsonObject[] {
  const samples = samplesOf(hall);
  const racks = [...Map.groupBy(samples, ({ instanceId }) => instanceId).values()];
  const bodies = [
    ...samples.map((sample) => energyOf(hall, sample)),
    ...racks.flatMap((rack) => [
      ...auditsOf(hall, rack),
      ...transitionOf(hall, rack),
      ...avoidedOf(hall, rack),
    ]),
  ];
  const endOf = ({ window_end }: JsonObject): string => String(window_end);
  // All times have the same format, so that their texts have the order of the times.
  return bodies.sort((a, b) => (endOf(a) < endOf(b) ? -1 : endOf(a) > endOf(b) ? 1 : 0));
}

function energyOf(hall: Hall, sample: RackSample): JsonObject {
  return {
    ...bodyOf(hall, sample, 'HARDWARE_POWER_VALIDATION'),
    it_energy_kwh: sample.itKwh,
    facility_energy_kwh: sample.facilityKwh,
    water_l: sample.waterL,
    renewable_kwh: sample.renewableKwh,
    reused_kwh: sample.reusedKwh,
    measured_power_avg_w: sample.powerW,
    baseline_nameplate_w: RACK_NAMEPLATE_W,
    inlet_temp_c: sample.inletC,
    peak_junction_temp_c: sample.junctionC,
    grid_carbon_intensity_g_per_kwh: sample.carbonGPerKwh,
  };
}

/**
 * Returns a rack's thermal audits: the highest junction and the mean inlet temperature of each quarter day.
 */
function auditsOf(hall: Hall, rack: readonly RackSample[]): JsonObject[] {
  const quarterOf = ({ start }: RackSample): number =>
    Math.floor(((start - hall.dayStart) / DAY_MS) * AUDITS);
  return [...Map.groupBy(rack, quarterOf).values()].map((quarter) => ({
    ...bodyOf(hall, spanOf(quarter), 'THERMAL_SAFETY_AUDIT'),
    peak_junction_temp_c: Math.max(...quarter.map(({ junctionC }) => junctionC)),
    inlet_temp_c: rounded(sumOf(quarter.map(({ inletC }) => inletC)) / quarter.length, 1),
    thermal_throttle_observed: false,
  }));
}

/** Returns the transition to the capped power: the average power in the first window under the policy. */
function transitionOf(hall: Hall, rack: readonly RackSample[]): JsonObject[] {
  const first = rack.find(({ start }) => start >= hall.dayStart + CAP_MINUTE * 60_000);
  if (first === undefined) return [];
  return [
    {
      ...bodyOf(hall, first, 'POLICY_SETPOINT_TRANSITION'),
      measured_power_avg_w: first.powerW,
      baseline_nameplate_w: RACK_NAMEPLATE_W,
      delta_power_pct: -100 * CAP_FRACTION,
      policy_setpoint_applied: true,
    },
  ];
}

/** Returns what the cap saved until midnight, and the carbon that this energy would have caused. */
function avoidedOf(hall: Hall, rack: readonly RackSample[]): JsonObject[] {
  const capped = rack.filter(({ start }) => start >= hall.dayStart + CAP_MINUTE * 60_000);
  if (capped.length === 0) return [];
  const saved = capped.map(({ facilityKwh }) => (facilityKwh * CAP_FRACTION) / (1 - CAP_FRACTION));
  const grams = saved.map((kwh, index) => kwh * (capped[index]?.carbonGPerKwh ?? 0));
  return [
    {
      ...bodyOf(hall, spanOf(capped), 'CARBON_AVOIDED_ACCRUAL'),
      energy_saved_kwh: rounded(sumOf(saved), 3),
      carbon_avoided_kg: rounded(sumOf(grams) / 1000, 3),
    },
  ];
}

type Window = Pick<RackSample, 'instanceId' | 'start' | 'end'>;

function bodyOf({ clusterId }: Hall, { instanceId, start, end }: Window, eventType: string): JsonObject {
  return {
    cluster_id: clusterId,
    instance_id: instanceId,
    event_type: eventType,
    origin: 'synthetic',
    sku: RACK_SKU,
    window_start: timestampOf(start),
    window_end: timestampOf(end),
    telemetry_source: SOURCE,
  };
}

/**
 * Returns the window from the first to the last of successive samples of a rack.
 * @throws RangeError without samples
 */
function spanOf(samples: readonly RackSample[]): Window {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('no samples');
  return { instanceId: first.instanceId, start: first.start, end: last.end };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
