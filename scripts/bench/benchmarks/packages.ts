import { join } from 'node:path';
import { DAY_MS } from '../../../src/platform/time/units.ts';
import { enrolledAgent } from '../enrolled-agent.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { seedPackages } from '../seed-packages.ts';
import { API_KEY, type BenchServer, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { runWrk } from '../wrk.ts';

const FRAMEWORKS = ['NIST_AI_RMF', 'EU_AI_ACT', 'SOC2_TYPE2', 'ISO_42001'];
/** Ten uncached packages a minute, as the limit of an address allows. */
const BUILD_EVERY_MS = 6000;

export const packages = defineBenchmark({
  name: 'packages',
  capability: 'Compliance',
  about:
    'Compliance packages of an agent whose receipts and evidence lie between those of another one, over HTTP: each with another period, ' +
    'so that none is cached. Meanwhile another client repeats a no-op GET, whose slowest response shows for how long the main thread is ' +
    'busy at most. Then receipts are issued over 64 connections, without and with ten such packages a minute.',
  needs: ['wrk', 'trust server'],
  metrics: {
    uncached: { label: 'Package that is not cached, median', unit: 'ms', goal: atMost(300) },
    cached: { label: 'The same package from the cache, median', unit: 'ms' },
    stall: { label: 'Slowest no-op GET while packages are built', unit: 'ms', goal: atMost(50) },
    beside: { label: 'Issued with 10 packages a minute ÷ without', unit: 'ratio', goal: atLeast(0.9) },
    growth: { label: 'Memory that the packages added', unit: 'MB' },
  },
  short: { entries: 20_000, packages: 6, seconds: 12 },
  full: { entries: 100_000, packages: 20, seconds: 60 },
  async run({ entries, packages: count, seconds }, bench) {
    const data = bench.newDirectory();
    const first = await startServer(data, 'off');
    const commitments = [await enrolledAgent(first), await enrolledAgent(first)];
    await first.stop();
    await seedPackages(join(data, 'trust.db'), {
      commitments,
      receipts: Math.round(entries * 0.6),
      evidence: Math.round(entries * 0.4),
      now: Date.now() - 3600_000,
    });
    const server = await startServer(data, 'off');
    const [commitment = ''] = commitments;
    let built = 0;
    const next = (): string => pathOf(commitment, built++);
    await timed(server, next());
    const before = server.memory().peak;
    const times: number[] = [];
    const cached: number[] = [];
    const stall = await slowestNoop(server, async () => {
      for (let number = 0; number < count; number++) {
        const path = next();
        times.push(await timed(server, path));
        cached.push(await timed(server, path));
      }
    });
    const growth = server.memory().peak - before;
    print(
      `| ${count} packages | ${median(times).toFixed(0)} ms | no-op ${stall.toFixed(1)} ms | ${growth.toFixed(0)} MB |`,
    );
    const alone = await issueRate(server, seconds);
    const timer = setInterval(() => void timed(server, next()).catch(() => undefined), BUILD_EVERY_MS);
    const withPackages = await issueRate(server, seconds).finally(() => clearInterval(timer));
    print(`| issued a second | ${alone.toFixed(0)} alone | ${withPackages.toFixed(0)} with packages |`);
    await server.stop();
    return {
      uncached: median(times),
      cached: median(cached),
      stall,
      beside: withPackages / alone,
      growth,
    };
  },
});

/** The path of a package with a period that no other number has. It contains all entries. */
function pathOf(commitment: string, number: number): string {
  const from = new Date(Date.now() - 85 * DAY_MS - number * 1000).toISOString();
  return `/api/v1/compliance/packages/${commitment}?framework=${FRAMEWORKS[number % FRAMEWORKS.length]}&from=${from}`;
}

/** @returns the milliseconds of a request @throws Error for another status than 200 */
async function timed({ url }: BenchServer, path: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url + path);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  return performance.now() - start;
}

/** Repeats a no-op GET until `act` is done. @returns the slowest response in milliseconds */
async function slowestNoop(server: BenchServer, act: () => Promise<void>): Promise<number> {
  let isDone = false;
  let slowest = 0;
  const noop = async (): Promise<void> => {
    while (!isDone) slowest = Math.max(slowest, await timed(server, '/noop'));
  };
  const running = noop();
  await act().finally(() => {
    isDone = true;
  });
  await running;
  return slowest;
}

/** @returns the receipts that are issued a second */
async function issueRate({ url }: BenchServer, seconds: number): Promise<number> {
  const { rate } = await runWrk({
    url: `${url}/api/v1/receipts`,
    connections: 64,
    seconds,
    script: 'issue.lua',
    env: { API_KEY },
  });
  return rate;
}
