import { describe, expect, test } from 'bun:test';
import {
  dayOf,
  hasEnergy,
  hasThermal,
  measurementsOf,
} from '../../../../src/trust/datacenter/measurements.ts';
import type { Telemetry } from '../../../../src/trust/datacenter/schema.ts';

const HOUR = { start: 0, end: 3_600_000 };

const telemetry = (more: Partial<Telemetry>): Telemetry => ({
  cluster_id: 'hall-1',
  instance_id: 'rack-1',
  event_type: 'WORKLOAD_ENERGY_EFFICIENCY',
  origin: 'live-instrument',
  window_start: '1970-01-01T00:00:00Z',
  window_end: '1970-01-01T01:00:00Z',
  ...more,
});

describe('stored values', () => {
  test('are integers in small units, rounded to the nearest one with a half up', () => {
    const values = telemetry({
      it_energy_kwh: 1.2345675,
      water_l: 0.0005,
      delta_power_pct: -3.0005,
      inlet_temp_c: -49.9996,
      peak_junction_temp_c: 71.25,
      grid_carbon_intensity_g_per_kwh: 321.5,
      carbon_avoided_kg: 0.0004,
    });
    expect(measurementsOf(values, HOUR)).toMatchObject({
      itMwh: 1_234_568,
      waterMl: 1,
      deltaPower: -3000,
      inletMc: -50_000,
      junctionMc: 71_250,
      carbonMgPerKwh: 321_500,
      avoidedG: 0,
      facilityMwh: null,
      setpointApplied: null,
    });
  });

  test('have no negative zero', () => {
    const { itMwh, deltaPower } = measurementsOf(
      telemetry({ it_energy_kwh: -0, delta_power_pct: -0.0001 }),
      HOUR,
    );
    expect([Object.is(itMwh, 0), Object.is(deltaPower, 0)]).toEqual([true, true]);
  });

  test('have exact products, also where a factor times another is above 2^53', () => {
    const values = telemetry({
      facility_energy_kwh: 1e9,
      grid_carbon_intensity_g_per_kwh: 1999.999,
      measured_power_avg_w: 999_999_999.999,
      baseline_nameplate_w: 1e9,
    });
    const days = { start: 0, end: 31 * 24 * 3_600_000 };
    expect(measurementsOf(values, days)).toMatchObject({
      co2Mg: 1_999_999_000_000_000,
      powerMwh: 743_999_999_999_256,
      nameplateMwh: 744_000_000_000_000,
    });
  });

  test('have emissions only of energy of the facility', () => {
    const of = (more: Partial<Telemetry>) => measurementsOf(telemetry(more), HOUR).co2Mg;
    expect(of({ facility_energy_kwh: 50, grid_carbon_intensity_g_per_kwh: 300 })).toBe(15_000_000);
    expect(of({ it_energy_kwh: 50, grid_carbon_intensity_g_per_kwh: 300 })).toBeNull();
    expect(of({ facility_energy_kwh: 50 })).toBeNull();
  });
});

describe('what counts', () => {
  const values = (more: Partial<Telemetry>) => measurementsOf(telemetry(more), HOUR);

  test.each<[Partial<Telemetry>, boolean, boolean]>([
    [{ it_energy_kwh: 0 }, true, false],
    [{ facility_energy_kwh: 1 }, true, false],
    [{ water_l: 1 }, true, false],
    [{ renewable_kwh: 1 }, true, false],
    [{ reused_kwh: 1 }, true, false],
    [{ measured_power_avg_w: 1 }, true, false],
    [{ inlet_temp_c: 0 }, false, true],
    [{ peak_junction_temp_c: 0 }, false, true],
    [{ thermal_throttle_observed: false }, false, true],
    [{ energy_saved_kwh: 1, carbon_avoided_kg: 1 }, false, false],
    [{ grid_carbon_intensity_g_per_kwh: 1, baseline_nameplate_w: 1, delta_power_pct: 1 }, false, false],
  ])('of %j is energy: %p, temperatures: %p', (more, energy, thermal) => {
    expect([hasEnergy(telemetry(more), values(more)), hasThermal(values(more))]).toEqual([energy, thermal]);
  });

  test('of avoided carbon is never energy', () => {
    const more = { event_type: 'CARBON_AVOIDED_ACCRUAL', it_energy_kwh: 1 } as const;
    expect(hasEnergy(telemetry(more), values(more))).toBe(false);
  });
});

test('a window belongs to the day of its last millisecond', () => {
  const day = 86_400_000;
  expect([dayOf({ start: 0, end: day }), dayOf({ start: 0, end: day + 1 })]).toEqual([0, 1]);
});
