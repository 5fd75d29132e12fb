import { DAY_MS, HOUR_MS } from '../../platform/time/units.ts';
import { LIMITS, type Quantity } from './limits.ts';
import type { TelemetryWindow } from './plausibility.ts';
import type { Telemetry } from './schema.ts';

/** The stored values of telemetry, null for absent ones. */
export type Measurements = ReturnType<typeof measurementsOf>;

/**
 * Returns the values of telemetry as the integers that are stored and summed: mWh, mL, mW, thousandths of a
 * degree and of a percent, mg, grams. Each is rounded to the nearest integer, a half up.
 */
export function measurementsOf(telemetry: Telemetry, { start, end }: TelemetryWindow) {
  const stored = (name: Quantity): number | null => {
    const value = telemetry[name];
    // Adding 0 turns -0 into 0.
    return value === undefined ? null : Math.round(value * LIMITS[name].factor) + 0;
  };
  const facilityMwh = stored('facility_energy_kwh');
  const powerMw = stored('measured_power_avg_w');
  const nameplateMw = stored('baseline_nameplate_w');
  const carbonMgPerKwh = stored('grid_carbon_intensity_g_per_kwh');
  const duration = end - start;
  return {
    itMwh: stored('it_energy_kwh'),
    facilityMwh,
    waterMl: stored('water_l'),
    renewableMwh: stored('renewable_kwh'),
    reusedMwh: stored('reused_kwh'),
    powerMw,
    nameplateMw,
    deltaPower: stored('delta_power_pct'),
    junctionMc: stored('peak_junction_temp_c'),
    inletMc: stored('inlet_temp_c'),
    setpointApplied: telemetry.policy_setpoint_applied ?? null,
    throttled: telemetry.thermal_throttle_observed ?? null,
    carbonMgPerKwh,
    savedMwh: stored('energy_saved_kwh'),
    avoidedG: stored('carbon_avoided_kg'),
    powerMwh: productOf(powerMw, duration, HOUR_MS),
    nameplateMwh: productOf(nameplateMw, duration, HOUR_MS),
    co2Mg: productOf(facilityMwh, carbonMgPerKwh, LIMITS.facility_energy_kwh.factor),
  };
}

/**
 * Returns a × b ÷ divisor, rounded to the nearest integer; null if a factor is null. The product can exceed
 * 2^53, so it is a BigInt.
 */
function productOf(a: number | null, b: number | null, divisor: number): number | null {
  if (a === null || b === null) return null;
  return Number((BigInt(a) * BigInt(b) + BigInt(divisor / 2)) / BigInt(divisor));
}

/** Returns whether telemetry has values that count as energy: power, energy or water that was consumed. */
export function hasEnergy(
  { event_type }: Pick<Telemetry, 'event_type'>,
  { itMwh, facilityMwh, waterMl, renewableMwh, reusedMwh, powerMw }: Measurements,
): boolean {
  if (event_type === 'CARBON_AVOIDED_ACCRUAL') return false;
  return [itMwh, facilityMwh, waterMl, renewableMwh, reusedMwh, powerMw].some((value) => value !== null);
}

/** Returns whether telemetry has a temperature, or says whether there was throttling. */
export function hasThermal({ junctionMc, inletMc, throttled }: Measurements): boolean {
  return junctionMc !== null || inletMc !== null || throttled !== null;
}

/** Returns the UTC day that a window belongs to, in days since 1970: that of its last millisecond. */
export function dayOf({ end }: TelemetryWindow): number {
  return Math.floor((end - 1) / DAY_MS);
}
