import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { startServer } from '../server-process.ts';
import { print } from '../statistics.ts';
import { seedTelemetry } from '../telemetry.ts';
import { runWrk } from '../wrk.ts';

const CLUSTER = 'seeded';

export const scorecard = defineBenchmark({
  name: 'scorecard',
  capability: 'Data centers',
  about:
    'The scorecard of a cluster with many items over up to 365 days: one caller, after two seconds of warm-up, each time another period, so ' +
    'that no response comes from the cache.',
  needs: ['wrk', 'trust server'],
  metrics: { p99: { label: 'Scorecard, 99th percentile', unit: 'ms', goal: atMost(5) } },
  short: { seconds: 3, items: 100_000 },
  full: { seconds: 5, items: 1_000_000 },
  async run({ seconds, items }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data, 'off')).stop();
    seedTelemetry(join(data, 'trust.db'), CLUSTER, items);
    const server = await startServer(data, 'off', 'off');
    const reading = { url: server.url, connections: 1, script: 'scorecard.lua', env: { CLUSTER } };
    // The first requests of a fresh process compile the code that all others run.
    await runWrk({ ...reading, seconds: 2 });
    const { p50, p99, max } = await runWrk({ ...reading, seconds });
    print(`| ${p50} ms | ${p99} ms | ${max} ms |`);
    await server.stop();
    return { p99 };
  },
});
