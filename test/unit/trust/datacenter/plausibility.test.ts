import { describe, expect, test } from 'bun:test';
import { telemetryIssues, windowOf } from '../../../../src/trust/datacenter/plausibility.ts';
import type { Telemetry } from '../../../../src/trust/datacenter/schema.ts';

const NOW = Date.UTC(2026, 5, 1);

/** Telemetry of one hour that is plausible. */
const telemetry = (more: Partial<Telemetry> = {}): Telemetry => ({
  cluster_id: 'hall-1',
  instance_id: 'rack-1',
  event_type: 'WORKLOAD_ENERGY_EFFICIENCY',
  origin: 'live-instrument',
  window_start: '2026-05-01T00:00:00Z',
  window_end: '2026-05-01T01:00:00Z',
  it_energy_kwh: 40,
  ...more,
});

const issuesOf = (more: Partial<Telemetry>): string[] => {
  const changed = telemetry(more);
  return Object.keys(telemetryIssues(changed, windowOf(changed), NOW) ?? {});
};

describe('telemetry is plausible', () => {
  test.each<[string, Partial<Telemetry>]>([
    ['with nothing but what its type needs', {}],
    ['with as much energy of the facility as of its IT', { facility_energy_kwh: 40 }],
    ['with all energy renewable and reused', { facility_energy_kwh: 50, renewable_kwh: 50, reused_kwh: 50 }],
    ['with a mean power that is 1.5 times the energy', { measured_power_avg_w: 60_000 }],
    ['with an energy that is 1.5 times the mean power', { measured_power_avg_w: 40_000 / 1.5 }],
    [
      'with a power that is 1.5 times the nameplate',
      { measured_power_avg_w: 45_000, baseline_nameplate_w: 30_000 },
    ],
    ['with no power and no energy', { it_energy_kwh: 0, measured_power_avg_w: 0 }],
    ['with an inlet as hot as the junction', { inlet_temp_c: 30, peak_junction_temp_c: 30 }],
    [
      'for a window that ends one minute ahead of the clock',
      { window_start: '2026-05-31T23:00:00Z', window_end: '2026-06-01T00:01:00Z', it_energy_kwh: 40 },
    ],
    ['for 31 days', { window_start: '2026-05-01T00:00:00Z', window_end: '2026-06-01T00:00:00Z' }],
    ['for a millisecond', { window_end: '2026-05-01T00:00:00.001Z' }],
    [
      'in the first moment of the year 2000',
      { window_start: '2000-01-01T00:00:00Z', window_end: '2000-01-01T01:00:00Z' },
    ],
  ])('%s', (_name, more) => {
    expect(issuesOf(more)).toEqual([]);
  });
});

describe('telemetry is refused', () => {
  test.each<[string, Partial<Telemetry>, string[]]>([
    [
      'with less energy of the facility than of its IT',
      { facility_energy_kwh: 39.999 },
      ['facility_energy_kwh'],
    ],
    [
      'with more renewable energy than the facility has',
      { facility_energy_kwh: 50, renewable_kwh: 50.001 },
      ['renewable_kwh'],
    ],
    [
      'with more reused energy than the facility has',
      { facility_energy_kwh: 50, reused_kwh: 51 },
      ['reused_kwh'],
    ],
    ['with power in kilowatts', { measured_power_avg_w: 40 }, ['measured_power_avg_w']],
    [
      'with energy in watt-hours',
      { it_energy_kwh: 40_000, measured_power_avg_w: 40_000 },
      ['measured_power_avg_w'],
    ],
    ['with power and no energy', { it_energy_kwh: 0, measured_power_avg_w: 100 }, ['measured_power_avg_w']],
    [
      'with power above 1.5 times the nameplate',
      { measured_power_avg_w: 45_001, baseline_nameplate_w: 30_000 },
      ['measured_power_avg_w'],
    ],
    ['with energy above 1.5 times the nameplate', { baseline_nameplate_w: 26_000 }, ['it_energy_kwh']],
    [
      'with an inlet hotter than the junction',
      { inlet_temp_c: 80.1, peak_junction_temp_c: 80 },
      ['inlet_temp_c'],
    ],
    ['with a signature and no instrument', { signature: 'ab'.repeat(64) }, ['signature']],
    ['with an instrument and no signature', { subject_commitment: 'ab'.repeat(32) }, ['signature']],
    ['for a reversed window', { window_end: '2026-04-30T23:59:59Z' }, ['window_end']],
    ['for an empty window', { window_end: '2026-05-01T00:00:00Z' }, ['window_end']],
    [
      'for a window of a year',
      { window_start: '2025-05-01T00:00:00Z', window_end: '2026-05-01T00:00:00Z' },
      ['window_end'],
    ],
    ['for a window of 31 days and a millisecond', { window_end: '2026-06-01T00:00:00.001Z' }, ['window_end']],
    [
      'for a window that ends in the future',
      { window_start: '2026-05-31T23:00:00Z', window_end: '2026-06-01T00:01:00.001Z' },
      ['window_end'],
    ],
    [
      'for a window before the year 2000',
      { window_start: '1999-12-31T23:59:59Z', window_end: '2000-01-01T00:30:00Z' },
      ['window_start'],
    ],
  ])('%s', (_name, more, members) => {
    expect(issuesOf(more)).toEqual(members);
  });

  test.each<[Telemetry['event_type'], Partial<Telemetry>]>([
    ['HARDWARE_POWER_VALIDATION', { measured_power_avg_w: 1 }],
    ['POLICY_SETPOINT_TRANSITION', { policy_setpoint_applied: false }],
    ['THERMAL_SAFETY_AUDIT', { thermal_throttle_observed: false }],
    ['CARBON_AVOIDED_ACCRUAL', { carbon_avoided_kg: 0 }],
    ['WORKLOAD_ENERGY_EFFICIENCY', { measured_power_avg_w: 1 }],
  ])('as %s without a measurement of it', (event_type, measured) => {
    const { it_energy_kwh: _, ...bare } = telemetry({ event_type, sku: 'HGX-H100' });
    const window = windowOf(bare);
    expect(Object.keys(telemetryIssues(bare, window, NOW) ?? {})).toEqual(['event_type']);
    expect(telemetryIssues({ ...bare, ...measured }, window, NOW)).toBeNull();
  });

  test('with a sentence for each member that says what to change', () => {
    const wrong = telemetry({ facility_energy_kwh: 30, renewable_kwh: 31, measured_power_avg_w: 40 });
    expect(telemetryIssues(wrong, windowOf(wrong), NOW)).toEqual({
      facility_energy_kwh: ['must be at least it_energy_kwh, since a facility includes its IT equipment'],
      renewable_kwh: ['must be at most facility_energy_kwh, which includes it'],
      measured_power_avg_w: [
        'must match it_energy_kwh over the window, within a factor of 1.5: check the units',
      ],
    });
  });
});
