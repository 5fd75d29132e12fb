import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { seedTelemetry, writeTelemetry } from '../telemetry.ts';
import { issueAt, runWrk } from '../wrk.ts';

/** More requests than can be sent in a second. */
const BODIES_A_SECOND = 8000;
const SEEDED = 'seeded';

export const datacenter = defineBenchmark({
  name: 'datacenter',
  capability: 'Data centers',
  about:
    'Durable telemetry against durable issuing on the same server, 64 connections, in turns. A 201 means a receipt that is issued, finalized ' +
    'and logged, and sums that count the values. Then the scorecard of a cluster with many items over up to 365 days: one caller, after two seconds of warm-up, each time ' +
    'another period, so that no response comes from the cache.',
  needs: ['wrk', 'trust server'],
  metrics: {
    ratio: { label: 'Telemetry ÷ issue', unit: 'ratio', goal: atLeast(0.35) },
    rate: { label: 'Telemetry ingested', unit: 'requests/s' },
    p99: { label: 'Telemetry, worst 99th percentile', unit: 'ms' },
    slowest: { label: 'Telemetry, slowest response', unit: 'ms' },
    scorecard: { label: 'Scorecard, 99th percentile', unit: 'ms', goal: atMost(5) },
    cached: { label: 'Scorecard from the cache, 99th percentile', unit: 'ms' },
  },
  short: { rounds: 3, seconds: 3, items: 100_000 },
  full: { rounds: 5, seconds: 5, items: 1_000_000 },
  async run({ rounds, seconds, items }, bench) {
    const data = bench.newDirectory();
    let server = await startServer(data, 'off');
    await issueAt(`${server.url}/api/v1/receipts`, 2);
    const url = `${server.url}/api/v1/datacenter/evidence`;
    const ratios: number[] = [];
    const loads = [];
    for (let round = 0; round < rounds; round++) {
      const issued = await issueAt(`${server.url}/api/v1/receipts`, seconds);
      const file = join(data, `telemetry-${round}`);
      writeTelemetry(file, `hall-${round}`, 0, seconds * BODIES_A_SECOND);
      const env = { API_KEY, BODIES: file };
      const ingested = await runWrk({ url, connections: 64, seconds, script: 'evidence.lua', env });
      rmSync(file);
      ratios.push(ingested.rate / issued.rate);
      loads.push(ingested);
      print(
        `| ${round + 1} | ${issued.rate.toFixed(0)} | ${ingested.rate.toFixed(0)} | ${(ingested.rate / issued.rate).toFixed(3)} | ${ingested.p99} ms | ${ingested.max} ms |`,
      );
    }
    await server.stop();
    seedTelemetry(join(data, 'trust.db'), SEEDED, items);
    server = await startServer(data, 'off', 'off');
    const env = { CLUSTER: SEEDED };
    const read = { connections: 1, seconds, env };
    // The first requests of a fresh process compile the code that all others run.
    await runWrk({ ...read, url: server.url, script: 'scorecard.lua', seconds: 2 });
    const scorecard = await runWrk({ ...read, url: server.url, script: 'scorecard.lua' });
    const cached = await runWrk({
      ...read,
      url: `${server.url}/api/v1/datacenter/clusters/${SEEDED}/scorecard`,
    });
    print(`| scorecard | ${scorecard.p50} ms | ${scorecard.p99} ms | ${scorecard.max} ms |`);
    await server.stop();
    return {
      ratio: median(ratios),
      rate: median(loads.map(({ rate }) => rate)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      slowest: Math.max(...loads.map(({ max }) => max)),
      scorecard: scorecard.p99,
      cached: cached.p99,
    };
  },
});
