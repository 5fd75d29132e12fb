/**
 * The limits of values, and the factor to the integers that are stored. Larger values are errors of units.
 */

/** 1 TWh: more than 1 GW in 31 days. Stored in mWh. */
const ENERGY_KWH = { minimum: 0, maximum: 1e9, factor: 1e6 };
/** 1 GW. Stored in mW. */
const POWER_W = { minimum: 0, maximum: 1e9, factor: 1e3 };

export const LIMITS = {
  it_energy_kwh: ENERGY_KWH,
  facility_energy_kwh: ENERGY_KWH,
  renewable_kwh: ENERGY_KWH,
  reused_kwh: ENERGY_KWH,
  energy_saved_kwh: ENERGY_KWH,
  /** Stored in mL. */
  water_l: { minimum: 0, maximum: 1e10, factor: 1e3 },
  measured_power_avg_w: POWER_W,
  baseline_nameplate_w: POWER_W,
  /** Stored in thousandths of a percent. */
  delta_power_pct: { minimum: -100, maximum: 1000, factor: 1e3 },
  /** Stored in thousandths of a degree. */
  peak_junction_temp_c: { minimum: 0, maximum: 115, factor: 1e3 },
  inlet_temp_c: { minimum: -50, maximum: 150, factor: 1e3 },
  /** Stored in mg. */
  grid_carbon_intensity_g_per_kwh: { minimum: 0, maximum: 2000, factor: 1e3 },
  /** Stored in grams. */
  carbon_avoided_kg: { minimum: 0, maximum: 1e9, factor: 1e3 },
} as const;

/** A member of telemetry that is a number. */
export type Quantity = keyof typeof LIMITS;

/**
 * What the id of a cluster or an instance is, as the source of a regular expression. `.` and `..` are
 * excluded: clients and servers remove these segments from a URL (WHATWG URL section 4.4), so nobody could
 * request the scorecard of the cluster.
 */
export const FACILITY_NAME = '^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$';
/** Longest window: 31 days. */
export const MAX_WINDOW_MS = 31 * 86_400_000;
/** No window begins before the year 2000. */
export const FIRST_WINDOW = Date.UTC(2000, 0, 1);
