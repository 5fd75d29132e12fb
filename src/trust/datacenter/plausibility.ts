import type { TelemetryEvent } from '../../../db/trust/datacenter-enums.ts';
import { AHEAD_MS, parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { FIRST_WINDOW, MAX_WINDOW_MS } from './limits.ts';
import type { Telemetry } from './schema.ts';

/** The window of telemetry, in milliseconds since 1970; `end` is exclusive. */
export interface TelemetryWindow {
  start: number;
  end: number;
}

/** A rule about impossible values: the member to change, and why. */
interface Rule {
  member: keyof Telemetry;
  sentence: string;
  /**
   * Returns whether the values break the rule. Absent values break none.
   * @param hours the length of the window
   */
  isBroken(telemetry: Telemetry, hours: number): boolean;
}

/** How far mean power, energy and nameplate may differ. A wrong unit makes a difference of 1,000. */
const TOLERANCE = 1.5;

/** The measurements for each event type, which needs at least one of them. */
export const MEASUREMENTS: Readonly<Record<TelemetryEvent, readonly (keyof Telemetry)[]>> = {
  HARDWARE_POWER_VALIDATION: ['measured_power_avg_w', 'it_energy_kwh', 'facility_energy_kwh'],
  POLICY_SETPOINT_TRANSITION: ['policy_setpoint_applied'],
  THERMAL_SAFETY_AUDIT: ['peak_junction_temp_c', 'inlet_temp_c', 'thermal_throttle_observed'],
  CARBON_AVOIDED_ACCRUAL: ['carbon_avoided_kg', 'energy_saved_kwh'],
  WORKLOAD_ENERGY_EFFICIENCY: ['it_energy_kwh', 'measured_power_avg_w'],
};

export const RULES: readonly Rule[] = [
  {
    member: 'facility_energy_kwh',
    sentence: 'must be at least it_energy_kwh, since a facility includes its IT equipment',
    isBroken: ({ facility_energy_kwh, it_energy_kwh }) => exceeds(it_energy_kwh, facility_energy_kwh),
  },
  {
    member: 'renewable_kwh',
    sentence: 'must be at most facility_energy_kwh, which includes it',
    isBroken: ({ renewable_kwh, facility_energy_kwh }) => exceeds(renewable_kwh, facility_energy_kwh),
  },
  {
    member: 'reused_kwh',
    sentence: 'must be at most facility_energy_kwh, which includes it',
    isBroken: ({ reused_kwh, facility_energy_kwh }) => exceeds(reused_kwh, facility_energy_kwh),
  },
  {
    member: 'measured_power_avg_w',
    sentence: `must match it_energy_kwh over the window, within a factor of ${TOLERANCE}: check the units`,
    isBroken: ({ measured_power_avg_w, it_energy_kwh }, hours) =>
      exceeds(energyOf(measured_power_avg_w, hours), it_energy_kwh, TOLERANCE) ||
      exceeds(it_energy_kwh, energyOf(measured_power_avg_w, hours), TOLERANCE),
  },
  {
    member: 'measured_power_avg_w',
    sentence: `must be at most ${TOLERANCE} times baseline_nameplate_w: check the units`,
    isBroken: ({ measured_power_avg_w, baseline_nameplate_w }) =>
      exceeds(measured_power_avg_w, baseline_nameplate_w, TOLERANCE),
  },
  {
    member: 'it_energy_kwh',
    sentence: `must be at most ${TOLERANCE} times what baseline_nameplate_w consumes in the window: check the units`,
    isBroken: ({ it_energy_kwh, baseline_nameplate_w }, hours) =>
      exceeds(it_energy_kwh, energyOf(baseline_nameplate_w, hours), TOLERANCE),
  },
  {
    member: 'inlet_temp_c',
    sentence: 'must be at most peak_junction_temp_c, since the air cools the junction',
    isBroken: ({ inlet_temp_c, peak_junction_temp_c }) => exceeds(inlet_temp_c, peak_junction_temp_c),
  },
  {
    member: 'meter_role',
    sentence: 'must not be facility with it_energy_kwh, nor it with facility_energy_kwh',
    isBroken: ({ meter_role, it_energy_kwh, facility_energy_kwh }) =>
      (meter_role === 'facility' && it_energy_kwh !== undefined) ||
      (meter_role === 'it' && facility_energy_kwh !== undefined),
  },
  {
    member: 'correction_reason',
    sentence: 'must be sent with corrects, or neither of them',
    isBroken: ({ corrects, correction_reason }) =>
      (corrects === undefined) !== (correction_reason === undefined),
  },
  {
    member: 'attestation',
    sentence: 'must be sent with the signature of the instrument that it is about',
    isBroken: ({ attestation, signature }) => attestation !== undefined && signature === undefined,
  },
  {
    member: 'signature',
    sentence: 'must be sent with subject_commitment, or neither of them',
    isBroken: ({ signature, subject_commitment }) =>
      (signature === undefined) !== (subject_commitment === undefined),
  },
];

/**
 * Returns the implausible values by member; null for none. The schema has checked each value separately.
 * @param now milliseconds since 1970
 */
export function telemetryIssues(
  telemetry: Telemetry,
  { start, end }: TelemetryWindow,
  now: number,
): Record<string, string[]> | null {
  const issues: Record<string, string[]> = {};
  const add = (member: string, sentence: string): void => {
    issues[member] = [...(issues[member] ?? []), sentence];
  };
  if (start < FIRST_WINDOW) add('window_start', 'must not be before the year 2000');
  if (end <= start) add('window_end', 'must be after window_start');
  if (end - start > MAX_WINDOW_MS) add('window_end', 'must be at most 31 days after window_start');
  if (end > now + AHEAD_MS) add('window_end', 'must not be in the future');
  const needed = MEASUREMENTS[telemetry.event_type];
  if (needed.every((member) => telemetry[member] === undefined))
    add('event_type', `${telemetry.event_type} needs ${needed.join(' or ')}`);
  const hours = (end - start) / 3_600_000;
  for (const { member, sentence, isBroken } of RULES) if (isBroken(telemetry, hours)) add(member, sentence);
  return Object.keys(issues).length === 0 ? null : issues;
}

/** Returns the window of telemetry, whose times the schema has checked. */
export function windowOf({ window_start, window_end }: Telemetry): TelemetryWindow {
  const start = parseTimestamp(window_start);
  const end = parseTimestamp(window_end);
  if (start === null || end === null) throw new Error('the schema let a malformed time pass');
  return { start, end };
}

/** Returns whether a value is above `factor` times another. An absent value exceeds nothing. */
function exceeds(value: number | undefined, other: number | undefined, factor = 1): boolean {
  return value !== undefined && other !== undefined && value > other * factor;
}

/** Returns the kWh of a power in watts. */
function energyOf(watts: number | undefined, hours: number): number | undefined {
  return watts === undefined ? undefined : (watts * hours) / 1000;
}
