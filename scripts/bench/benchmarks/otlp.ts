import { fromJson, toBinary } from '@bufbuild/protobuf';
import { ExportMetricsServiceRequestSchema } from '../../../src/platform/otlp/generated/opentelemetry/proto/collector/metrics/v1/metrics_service_pb.ts';
import { DAY_MS, MINUTE_MS } from '../../../src/platform/time/units.ts';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { API_KEY, type BenchServer, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';

/** 400 data points, as a collector batches them: the minutes of 100 minutes of four racks. */
const RACKS = 4;
const MINUTES = 100;
/** All windows are in the past. */
const FIRST = (Math.floor(Date.now() / DAY_MS) - 60) * DAY_MS;
/** Requests at the same time, as of some collectors. */
const CONNECTIONS = 4;

export const otlp = defineBenchmark({
  name: 'otlp',
  capability: 'Data centers',
  about:
    'Requests with 400 data points of four racks in OTLP, which become four items of telemetry with receipts: in protobuf against JSON on ' +
    'the same server, 4 connections, in turns. No request is sent twice.',
  needs: ['trust server'],
  metrics: {
    ratio: { label: 'OTLP, protobuf ÷ JSON', unit: 'ratio', goal: atLeast(1) },
    protobuf: { label: 'OTLP in protobuf', unit: 'requests/s' },
    json: { label: 'OTLP in JSON', unit: 'requests/s' },
  },
  short: { rounds: 5, requests: 150 },
  full: { rounds: 9, requests: 500 },
  async run({ rounds, requests }, bench) {
    const server = await startServer(bench.newDirectory(), 'off', 'off');
    const rates: { protobuf: number; json: number }[] = [];
    // The first round compiles the code that all others run.
    for (let round = 0; round <= rounds; round++) {
      const bodies = Array.from({ length: requests }, (_, index) => batch(`bench-${round}`, index));
      const json = await rateOf(
        server,
        'application/json',
        bodies.map((body) => new TextEncoder().encode(JSON.stringify(body))),
      );
      const others = Array.from({ length: requests }, (_, index) => batch(`bench-protobuf-${round}`, index));
      const protobuf = await rateOf(
        server,
        'application/x-protobuf',
        others.map((body) =>
          toBinary(ExportMetricsServiceRequestSchema, fromJson(ExportMetricsServiceRequestSchema, body)),
        ),
      );
      if (round > 0) rates.push({ protobuf, json });
      print(`| ${round} | ${json.toFixed(0)} | ${protobuf.toFixed(0)} | ${(protobuf / json).toFixed(3)} |`);
    }
    await server.stop();
    return {
      ratio: median(rates.map(({ protobuf, json }) => protobuf / json)),
      protobuf: median(rates.map(({ protobuf }) => protobuf)),
      json: median(rates.map(({ json }) => json)),
    };
  },
});

/** Returns the requests per second over some connections. @throws Error for what was not accepted as a whole */
async function rateOf(
  { url }: BenchServer,
  contentType: string,
  bodies: readonly Uint8Array<ArrayBuffer>[],
): Promise<number> {
  const headers = { 'content-type': contentType, authorization: `Bearer ${API_KEY}` };
  const waiting = [...bodies];
  const send = async () => {
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
      const target = `${url}/api/v1/datacenter/otlp/v1/metrics`;
      const response = await fetch(target, { method: 'POST', headers, body });
      const text = await response.text();
      if (!response.ok || (text !== '' && text !== '{}')) throw new Error(`${response.status}: ${text}`);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  return bodies.length / ((performance.now() - began) / 1000);
}

/** Returns a request with the energy of each minute, of a time that no other request of the cluster has. */
function batch(cluster: string, index: number): JsonObject {
  const start = FIRST + index * MINUTES * MINUTE_MS;
  const nanos = (minute: number) => `${start + minute * MINUTE_MS}000000`;
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  return {
    resourceMetrics: Array.from({ length: RACKS }, (_, rack) => ({
      resource: { attributes: [text('countersign.cluster.id', cluster), text('host.id', `rack-${rack}`)] },
      scopeMetrics: [
        {
          scope: { name: 'pdu', version: '1.0' },
          metrics: [
            {
              name: 'hw.host.energy',
              unit: 'J',
              sum: {
                aggregationTemporality: 1,
                isMonotonic: true,
                dataPoints: Array.from({ length: MINUTES }, (_, minute) => ({
                  startTimeUnixNano: nanos(minute),
                  timeUnixNano: nanos(minute + 1),
                  asDouble: 1_000_000 + minute + index / 7,
                  attributes: [text('hw.id', `pdu-${rack}`), text('hw.vendor', 'Example')],
                })),
              },
            },
          ],
        },
      ],
    })),
  };
}
