import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AggregationTemporalityPreference,
  OTLPMetricExporter as JsonExporter,
} from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { client } from '../../../support/client.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';

const directory = scratch();
const keyFile = join(directory.path, 'api-key');
let server: Running;

beforeAll(async () => {
  server = await serve(join(directory.path, 'data'));
  writeFileSync(keyFile, server.apiKey);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

const api = () => client(fetch, server.url, null);

/** The metrics of the OpenTelemetry SDK, exported to the executable. */
function openTelemetry(
  cluster: string,
  Exporter: typeof JsonExporter | typeof ProtobufExporter,
  temporalityPreference: AggregationTemporalityPreference,
  compression: CompressionAlgorithm,
) {
  const exporter = new Exporter({
    url: `${server.url}/api/v1/datacenter/otlp/v1/metrics`,
    headers: { authorization: `Bearer ${server.apiKey}` },
    compression,
    temporalityPreference,
  });
  // The interval is longer than the test, which exports by itself.
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 600_000 });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'countersign.cluster.id': cluster, 'service.instance.id': 'rack-1' }),
    readers: [reader],
  });
  return { meter: provider.getMeter('pdu'), provider };
}

/** Waits until the clock shows another millisecond, since no window is shorter. */
async function nextMillisecond(): Promise<void> {
  const before = Date.now();
  while (Date.now() === before) await Bun.sleep(1);
}

/** A member of a response, by its path. */
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce((parent: unknown, name) => Object(parent)[name], value);

const scorecardOf = async (cluster: string) => {
  const { status, body } = await api().get(`/api/v1/datacenter/clusters/${cluster}/scorecard`);
  expect(status).toBe(200);
  return body;
};

describe('The exporter of the OpenTelemetry SDK', () => {
  test.each([
    ['delta', 'JSON', AggregationTemporalityPreference.DELTA, CompressionAlgorithm.GZIP, 3],
    // The first reading is where the counter starts to count.
    ['cumulative', 'JSON', AggregationTemporalityPreference.CUMULATIVE, CompressionAlgorithm.NONE, 2],
    ['delta', 'protobuf', AggregationTemporalityPreference.DELTA, CompressionAlgorithm.NONE, 3],
    ['cumulative', 'protobuf', AggregationTemporalityPreference.CUMULATIVE, CompressionAlgorithm.GZIP, 2],
  ] as const)(
    'sends counters with %s temporality in %s, which become declared telemetry',
    async (name, encoding, preference, compression, exports) => {
      const cluster = `sdk-${name}-${encoding}`;
      const exporter = encoding === 'JSON' ? JsonExporter : ProtobufExporter;
      const { meter, provider } = openTelemetry(cluster, exporter, preference, compression);
      const energy = meter.createCounter('hw.host.energy', { unit: 'kW.h' });
      const inlet = meter.createGauge('hw.host.ambient_temperature', { unit: 'Cel' });
      for (let count = 0; count < 3; count++) {
        energy.add(0.25, { 'hw.id': 'rack-1' });
        inlet.record(21.5, { 'hw.id': 'rack-1' });
        await nextMillisecond();
        await provider.forceFlush();
      }
      await provider.shutdown();
      const scorecard = await scorecardOf(cluster);
      expect(at(scorecard, 'declared', 'energy', 'it_kwh')).toBe(0.25 * exports);
      expect(at(scorecard, 'hardware_measured')).toBeNull();
    },
  );
});

describe('countersign datacenter simulate', () => {
  const simulate = (...args: string[]) =>
    run(['datacenter', 'simulate', '--url', server.url, '--api-key-file', keyFile, ...args]);

  test.each([
    ['as evidence', [], { sent: 120, stored: 120, duplicates: 0 }],
    ['as a collector does', ['--otlp'], { sent: 24, rejected_data_points: 0 }],
  ])('posts a day %s, which the scorecard shows as simulated only', async (_how, more, counts) => {
    const cluster = `simulated-${more.length}`;
    const { code, stdout, stderr } = await simulate('--cluster', cluster, ...more);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({ cluster_id: cluster, ...counts });
    const scorecard = await scorecardOf(cluster);
    expect(scorecard).toMatchObject({ hardware_measured: null, declared: null });
    expect(at(scorecard, 'simulated', 'pue', 'value')).toBeWithin(1.1, 1.4);
  });

  test('stores nothing twice when it runs again', async () => {
    const args = ['--cluster', 'again', '--racks', '1', '--date', '2026-05-01'];
    await simulate(...args);
    expect(JSON.parse((await simulate(...args)).stdout)).toMatchObject({
      sent: 30,
      stored: 0,
      duplicates: 30,
    });
  });

  test('prints the same bodies for the same day and seed, one per line', async () => {
    const args = ['datacenter', 'simulate', '--date', '2026-05-01', '--racks', '1', '--minutes', '30'];
    const { code, stdout } = await run(args);
    expect([code, stdout]).toEqual([0, (await run(args)).stdout]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(48 + 4 + 1 + 1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ cluster_id: 'simulated-hall-1', origin: 'synthetic' });
    expect((await run([...args, '--seed', '2'])).stdout).not.toBe(stdout);
  });

  test.each([
    [['--racks', '0'], 2, 'It must be a whole number from 1 to 100.'],
    [['--racks', '101'], 2, 'It must be a whole number from 1 to 100.'],
    [['--seed', '1e3'], 2, 'It must be a whole number from 0 to 2147483647.'],
    [['--minutes', '7'], 2, 'It must be 1, 5, 10, 15, 30 or 60.'],
    [['--date', '2026-02-30'], 2, 'It must be a day such as 2026-05-01.'],
    [
      ['--cluster', 'my hall'],
      2,
      'It must be 1 to 128 letters, digits and . _ : - characters, other than . and ..',
    ],
    [
      ['--cluster', '..'],
      2,
      'It must be 1 to 128 letters, digits and . _ : - characters, other than . and ..',
    ],
    [['--url', 'http://example.org'], 2, 'responses from example.org cannot be authenticated over http'],
    [['--url', 'here'], 2, 'It must be an https URL, or an http URL of this machine.'],
    [['--url', 'http://localhost:1'], 2, '--url and --api-key-file belong together'],
    [['--api-key-file', '/nowhere'], 2, 'the file /nowhere does not exist'],
  ])('refuses %j', async (args, code, message) => {
    const refused = await run(['datacenter', 'simulate', ...args]);
    expect([refused.code, refused.stdout]).toEqual([code, '']);
    expect(refused.stderr).toContain(message);
  });

  test('reports what a service refuses, and how to continue', async () => {
    const otherKey = join(directory.path, 'other-key');
    writeFileSync(otherKey, `pp_${'0'.repeat(64)}`);
    const args = ['datacenter', 'simulate', '--url', server.url, '--api-key-file', otherKey];
    const { code, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stderr).toContain('/api/v1/datacenter/evidence returned status 401');
    expect(stderr).toContain('hint: 0 bodies were stored before');
    const unreachable = await run([
      'datacenter',
      'simulate',
      '--url',
      'http://localhost:1',
      '--api-key-file',
      keyFile,
    ]);
    expect(unreachable.stderr).toContain('http://localhost:1/api/v1/datacenter/evidence cannot be reached');
  });
});
