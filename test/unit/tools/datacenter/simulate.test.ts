import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { evidenceOf } from '../../../../src/tools/datacenter/evidence.ts';
import type { Hall } from '../../../../src/tools/datacenter/hall.ts';
import { otlpOf } from '../../../../src/tools/datacenter/otlp.ts';

const HALL: Hall = {
  clusterId: 'hall-1',
  dayStart: Date.UTC(2026, 4, 1),
  seed: 1,
  racks: 3,
  minutes: 60,
};
const bodies = evidenceOf(HALL);
const ofType = (type: string): JsonObject[] => bodies.filter(({ event_type }) => event_type === type);
const energies = ofType('HARDWARE_POWER_VALIDATION');
const number = (body: JsonObject, name: string): number => {
  const value = body[name];
  if (typeof value !== 'number') throw new Error(`${name} is no number`);
  return value;
};

describe('A simulated day', () => {
  test('has the energy of each rack in every window, and the events of a day', () => {
    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(bodies, ({ event_type }) => String(event_type))).map(([type, all]) => [
        type,
        all?.length,
      ]),
    );
    expect(counts).toEqual({
      HARDWARE_POWER_VALIDATION: 3 * 24,
      THERMAL_SAFETY_AUDIT: 3 * 4,
      POLICY_SETPOINT_TRANSITION: 3,
      CARBON_AVOIDED_ACCRUAL: 3,
    });
  });

  test('is the same for the same seed, and another one for another', () => {
    expect(evidenceOf(HALL)).toEqual(bodies);
    expect(evidenceOf({ ...HALL, seed: 2 })).not.toEqual(bodies);
  });

  test('is marked as synthetic in every body and in every resource of OTLP', () => {
    expect(new Set(bodies.map(({ origin }) => origin))).toEqual(new Set(['synthetic']));
    for (const request of otlpOf(HALL)) {
      const marks = JSON.stringify(request).match(
        /"key":"countersign\.origin","value":\{"stringValue":"synthetic"\}/g,
      );
      expect(marks).toHaveLength(HALL.racks);
    }
  });

  test('has windows of one instance and type that touch and never overlap, in the order of their ends', () => {
    const ends = bodies.map(({ window_end }) => String(window_end));
    expect(ends).toEqual([...ends].sort());
    for (const [, series] of Map.groupBy(
      bodies,
      ({ instance_id, event_type }) => `${instance_id} ${event_type}`,
    )) {
      series.slice(1).forEach((body, index) => {
        expect(body.window_start).toBe(series[index]?.window_end ?? '');
      });
    }
  });

  test.each([1, 2, 3, 42, 2 ** 31 - 1])('has possible values with seed %d', (seed) => {
    for (const body of evidenceOf({ ...HALL, seed, racks: 10, minutes: 15 })) {
      const it = body.it_energy_kwh;
      if (typeof it === 'number') {
        const facility = number(body, 'facility_energy_kwh');
        expect(facility).toBeGreaterThan(it);
        expect(facility / it).toBeLessThan(1.5);
        expect(number(body, 'renewable_kwh')).toBeLessThan(facility);
        expect(number(body, 'reused_kwh')).toBeLessThan(facility);
        expect(number(body, 'measured_power_avg_w') / 4000).toBeCloseTo(it, 2);
        expect(number(body, 'measured_power_avg_w')).toBeLessThan(number(body, 'baseline_nameplate_w'));
        expect(number(body, 'grid_carbon_intensity_g_per_kwh')).toBeWithin(100, 400);
      }
      if (body.peak_junction_temp_c !== undefined) {
        expect(number(body, 'peak_junction_temp_c')).toBeWithin(30, 95);
        expect(number(body, 'inlet_temp_c')).toBeWithin(15, 30);
      }
    }
  });

  test('draws more power in the afternoon than at night, and less after the evening cap', () => {
    const powerAt = (hour: string): number =>
      energies
        .filter(({ window_start }) => String(window_start).includes(`T${hour}:`))
        .reduce((sum, body) => sum + number(body, 'measured_power_avg_w'), 0);
    expect(powerAt('14')).toBeGreaterThan(powerAt('03') * 1.3);
    expect(powerAt('18')).toBeLessThan(powerAt('17'));
  });

  test('avoids as much carbon as the saved energy would have caused on that grid', () => {
    for (const body of ofType('CARBON_AVOIDED_ACCRUAL')) {
      const gramsPerKwh = (number(body, 'carbon_avoided_kg') * 1000) / number(body, 'energy_saved_kwh');
      expect(gramsPerKwh).toBeWithin(280, 340);
    }
  });

  test('has the same energy as OTLP in joules', () => {
    const requests = otlpOf(HALL);
    expect(requests).toHaveLength(24);
    const joules = [...JSON.stringify(requests).matchAll(/"hw\.host\.energy".*?"asDouble":(\d+)/g)].map(
      ([, digits]) => Number(digits),
    );
    const kwh = energies.map((body) => number(body, 'it_energy_kwh'));
    expect(joules).toEqual(kwh.map((value) => Math.round(value * 3_600_000)));
  });

  test('has windows of the requested length', () => {
    const short = evidenceOf({ ...HALL, racks: 1, minutes: 5 });
    expect(short.filter(({ event_type }) => event_type === 'HARDWARE_POWER_VALIDATION')).toHaveLength(288);
  });
});
