import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../../../src/proof/encoding/json.ts';
import { inOneGo } from '../../../../../src/proof/encoding/steps.ts';
import type { Reading } from '../../../../../src/trust/datacenter/otlp/counters.ts';
import { mapInstance } from '../../../../../src/trust/datacenter/otlp/mapping.ts';
import { readMetrics } from '../../../../../src/trust/datacenter/otlp/read-metrics.ts';
import { telemetryIssues, windowOf } from '../../../../../src/trust/datacenter/plausibility.ts';
import { counter, cumulative, HOUR, MINUTE, metricsOf, T0 } from '../../../../support/otlp.ts';

const metricsIn = (body: JsonObject) => inOneGo(readMetrics(body));

const SOURCE = { clusterId: 'h', instanceId: 'r', origin: 'live-instrument', meter: {} } as const;
const NOW = T0 + 1000 * HOUR;

/** A service that knows only readings. It stores the telemetry of each request. */
function service() {
  const readings = new Map<string, Reading>();
  const stored = new Map<string, { start: number; end: number; kwh: number }>();
  return {
    stored,
    send(metrics: readonly JsonObject[]): void {
      const [resource] = metricsIn(metricsOf({}, metrics));
      const mapped = mapInstance(SOURCE, resource?.metrics ?? [], readings, NOW);
      for (const [key, reading] of mapped.readings) readings.set(key, reading);
      for (const { telemetry } of mapped.telemetry) {
        const window = windowOf(telemetry);
        expect(telemetryIssues(telemetry, window, NOW)).toBeNull();
        // The same body again is stored once.
        stored.set(JSON.stringify(telemetry), { ...window, kwh: telemetry.it_energy_kwh ?? 0 });
      }
    },
  };
}

/** Readings of a meter: the minute, and the energy since the one before in joules. */
const meter = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 5e9 })),
  {
    selector: ([minute]) => minute,
    minLength: 2,
    maxLength: 30,
  },
);

describe('Whatever the order, the batches and the repetitions of requests', () => {
  test('a cumulative counter counts what it shows at the end minus what it showed at first, in windows that touch', () => {
    fc.assert(
      fc.property(
        meter,
        fc.array(fc.nat(29), { maxLength: 60 }),
        fc.integer({ min: 1, max: 5 }),
        (steps, mixed, size) => {
          let total = 0;
          const shown = steps
            .sort(([a], [b]) => a - b)
            .map(([minute, joules]): [number, number] => {
              total += joules;
              return [minute * MINUTE, total];
            });
          const first = shown[0] ?? [0, 0];
          const last = shown.at(-1) ?? [0, 0];
          const order = [first, ...mixed.map((index) => shown[index % shown.length] ?? first), last];
          const { send, stored } = service();
          for (let from = 0; from < order.length; from += size) {
            send([cumulative('hw.host.energy', 'J', -HOUR, order.slice(from, from + size))]);
          }
          const windows = [...stored.values()].sort((a, b) => a.start - b.start);
          expect(windows.reduce((sum, { kwh }) => sum + kwh, 0)).toBeCloseTo((last[1] - first[1]) / 3.6e6, 4);
          windows.forEach(({ start }, index) => {
            expect(start - T0).toBe(index === 0 ? first[0] : (windows[index - 1]?.end ?? 0) - T0);
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a delta counter counts the sum of its intervals', () => {
    fc.assert(
      fc.property(
        meter,
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.nat(9), { maxLength: 10 }),
        (steps, size, again) => {
          let start = 0;
          const intervals = steps
            .sort(([a], [b]) => a - b)
            .map(([minute, joules]): [number, number, number] => {
              const from = start;
              start = minute * MINUTE;
              return [from, start, joules];
            });
          const requests = Array.from({ length: Math.ceil(intervals.length / size) }, (_, index) => [
            counter('hw.host.energy', 'J', intervals.slice(index * size, (index + 1) * size)),
          ]);
          const { send, stored } = service();
          for (const request of requests) send(request);
          for (const index of again) send(requests[index % requests.length] ?? []);
          const joules = intervals.reduce((sum, [, , value]) => sum + value, 0);
          const kwh = [...stored.values()].reduce((sum, item) => sum + item.kwh, 0);
          expect(kwh).toBeCloseTo(joules / 3.6e6, 4);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('energy below what is stored gives no power, so that its item is plausible', () => {
  const { send, stored } = service();
  send([counter('hw.host.energy', 'J', [[0, 1, 1]])]);
  expect([...stored.values()]).toMatchObject([{ kwh: 0 }]);
});
