import { createHash } from 'node:crypto';
import { HOUR_MS } from '../../platform/time/units.ts';

/** A made-up data hall and the day that it simulates. */
export interface Hall {
  clusterId: string;
  /** 00:00 UTC of the day, in milliseconds since 1970. */
  dayStart: number;
  /** The same seed gives the same telemetry of a day. */
  seed: number;
  racks: number;
  /** The length of a window; divides an hour, or is one. */
  minutes: number;
}

/** What the instruments of one rack measured in one window. */
export interface RackSample {
  instanceId: string;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  powerW: number;
  itKwh: number;
  facilityKwh: number;
  waterL: number;
  renewableKwh: number;
  reusedKwh: number;
  carbonGPerKwh: number;
  inletC: number;
  junctionC: number;
}

/** The product and the rated power of each rack. */
export const RACK_SKU = 'GPU-RACK-40KW';
export const RACK_NAMEPLATE_W = 40_000;
/**
 * The first minute of the day at which a policy caps the power of all racks, and by how much it reduces the
 * power, as a fraction.
 */
export const CAP_MINUTE = 18 * 60;
export const CAP_FRACTION = 0.12;

/**
 * Returns the samples of all racks in the order of time. Load, weather, sun and grid follow the hours of the
 * day; the rest is noise that depends only on the seed and the day.
 */
export function samplesOf(hall: Hall): RackSample[] {
  const windows = Array.from({ length: (24 * 60) / hall.minutes }, (_, index) => index * hall.minutes);
  return windows.flatMap((minute) =>
    Array.from({ length: hall.racks }, (_, rack) => sampleOf(hall, rack + 1, minute)),
  );
}

function sampleOf({ dayStart, seed, minutes }: Hall, rack: number, minute: number): RackSample {
  const hour = (minute + minutes / 2) / 60;
  const noise = (quantity: string): number => noiseOf(`${seed}/${dayStart}/${quantity}/${minute}`);
  const rackNoise = (quantity: string): number => noise(`rack ${rack}/${quantity}`);
  const outdoorC = 15 + 8 * Math.sin((Math.PI * (hour - 9)) / 12) + noise('weather');
  const sun = Math.max(0, Math.sin((Math.PI * (hour - 6)) / 12)) * (0.85 + 0.15 * noise('clouds'));
  const demand = 0.6 + 0.2 * Math.sin((Math.PI * (hour - 8)) / 12) + 0.07 * rackNoise('load');
  const cap = minute >= CAP_MINUTE ? 1 - CAP_FRACTION : 1;
  const powerW = rounded(RACK_NAMEPLATE_W * demand * cap, 1);
  const hours = minutes / 60;
  const itKwh = (powerW * hours) / 1000;
  const cooling =
    0.11 + 0.006 * Math.max(0, outdoorC - 10) + 0.04 * (1 - demand) + 0.01 * rackNoise('cooling');
  const facilityKwh = itKwh * (1 + cooling);
  const inletC = 22 + 0.15 * (outdoorC - 15) + 0.4 * rackNoise('inlet');
  const start = dayStart + minute * 60_000;
  return {
    instanceId: rackId(rack),
    start,
    end: start + hours * HOUR_MS,
    powerW,
    itKwh: rounded(itKwh, 3),
    facilityKwh: rounded(facilityKwh, 3),
    waterL: rounded(itKwh * (0.9 + 0.05 * Math.max(0, outdoorC - 12)), 1),
    renewableKwh: rounded(facilityKwh * (0.35 + 0.4 * sun), 3),
    reusedKwh: rounded(facilityKwh * (0.06 + 0.02 * noise('heat')), 3),
    carbonGPerKwh: rounded(320 - 140 * sun + 12 * noise('grid'), 1),
    inletC: rounded(inletC, 1),
    junctionC: rounded(inletC + 27 + 32 * demand * cap + 2 * rackNoise('junction'), 1),
  };
}

function rackId(rack: number): string {
  return `rack-${String(rack).padStart(2, '0')}`;
}

/** Returns a number from -1 to 1 that depends only on the text. */
function noiseOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 31 - 1;
}

/** Rounds to a number of decimals. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
