import type { Quantity } from '../limits.ts';

/** The kind of a metric: a counter, or how the values of a gauge become one value of a window. */
type Combined = 'counter' | 'total' | 'mean' | 'peak';

/** The mapping of a metric to a member of telemetry. */
export interface MetricMapping {
  member: Quantity;
  combined: Combined;
  units: Units;
  /** Returns the member if it depends on where the sensor is; null for sensors without a mapping. */
  memberAt?(location: string): Quantity | null;
}

/** How values in a unit become values in the unit of the member. */
interface Conversion {
  times: number;
  over?: number;
  plus?: number;
}
type Units = Readonly<Record<string, Conversion>>;

/** Units by UCUM code, and a few names that exporters use instead. UCUM is case-sensitive: mW is 0.001 W. */
const ENERGY: Units = {
  J: { times: 1, over: 3_600_000 },
  kJ: { times: 1, over: 3600 },
  MJ: { times: 1, over: 3.6 },
  GJ: { times: 1000, over: 3.6 },
  'W.h': { times: 1, over: 1000 },
  Wh: { times: 1, over: 1000 },
  'kW.h': { times: 1 },
  kWh: { times: 1 },
  'MW.h': { times: 1000 },
  MWh: { times: 1000 },
};
const POWER: Units = {
  mW: { times: 1, over: 1000 },
  W: { times: 1 },
  kW: { times: 1000 },
  MW: { times: 1_000_000 },
};
const TEMPERATURE: Units = {
  Cel: { times: 1 },
  '°C': { times: 1 },
  K: { times: 1, plus: -273.15 },
};
const WATER: Units = {
  L: { times: 1 },
  l: { times: 1 },
  mL: { times: 1, over: 1000 },
  m3: { times: 1000 },
};
const CARBON: Units = {
  'g/kW.h': { times: 1 },
  'g/kWh': { times: 1 },
  'kg/MW.h': { times: 1 },
  'kg/MWh': { times: 1 },
};

/** Inlet air: BMCs call the sensor at the front of a machine inlet, intake or ambient. */
const INLET = /\b(?:inlet|intake|ambient)\b/i;
/** Inside a processor. */
const JUNCTION = /die|junction|\btj|hot ?spot|^[cg]pu\d*$/i;

function temperatureAt(location: string): Quantity | null {
  // An underscore is a letter to \b.
  const words = location.replaceAll('_', ' ');
  if (INLET.test(words)) return 'inlet_temp_c';
  return JUNCTION.test(words) ? 'peak_junction_temp_c' : null;
}

const counter = (member: Quantity, units: Units): MetricMapping => ({ member, combined: 'counter', units });

/**
 * The metrics that have a mapping: `hw.*` of the OpenTelemetry semantic conventions (hardware, status
 * development), and our own names for what these do not have. `hw.energy` and `hw.power` of components have
 * none, since the host's energy contains theirs.
 */
const METRICS: Readonly<Record<string, MetricMapping>> = {
  'hw.host.energy': counter('it_energy_kwh', ENERGY),
  'hw.host.power': { member: 'measured_power_avg_w', combined: 'total', units: POWER },
  'hw.host.ambient_temperature': { member: 'inlet_temp_c', combined: 'mean', units: TEMPERATURE },
  'hw.temperature': {
    member: 'peak_junction_temp_c',
    combined: 'peak',
    units: TEMPERATURE,
    memberAt: temperatureAt,
  },
  'countersign.it.energy': counter('it_energy_kwh', ENERGY),
  'countersign.facility.energy': counter('facility_energy_kwh', ENERGY),
  'countersign.renewable.energy': counter('renewable_kwh', ENERGY),
  'countersign.reused.energy': counter('reused_kwh', ENERGY),
  'countersign.water': counter('water_l', WATER),
  'countersign.nameplate.power': { member: 'baseline_nameplate_w', combined: 'total', units: POWER },
  'countersign.grid.carbon_intensity': {
    member: 'grid_carbon_intensity_g_per_kwh',
    combined: 'mean',
    units: CARBON,
  },
};

/** The names of the metrics that have a mapping. */
export const MAPPED_METRICS: readonly string[] = Object.keys(METRICS);

/** Returns the mapping of a metric; null if it has none. */
export function mappingOf(name: string): MetricMapping | null {
  return Object.hasOwn(METRICS, name) ? (METRICS[name] ?? null) : null;
}

/** Converts a value to the unit of its member. @returns null for a unit that is unknown or missing */
export function converted(value: number, { units }: MetricMapping, unit: string): number | null {
  const conversion = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (conversion === undefined) return null;
  const { times, over = 1, plus = 0 } = conversion;
  return (value * times) / over + plus;
}
