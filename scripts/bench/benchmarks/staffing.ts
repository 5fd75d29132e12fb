import { join } from 'node:path';
import { buildMadeUp } from '../full-registry.ts';
import { type Bench, defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { type BenchServer, processorTime, startStaffingServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { runWrk } from '../wrk.ts';

export const staffing = defineBenchmark({
  name: 'staffing',
  capability: 'Search of clinicians',
  about:
    'Searches over HTTP, 16 connections, against the no-op GET of the same server (same query, same schema, no key, no registry), in ' +
    'turns: searches by one to four filters that do not repeat, pages of 25, a fifth with the total; and ten searches as firms send them, ' +
    'repeated, which the server returns from its cache. On one server whose main thread serves all, and on one with reader threads; wrk ' +
    'is on the same machine. Processor time is that of the whole server process.',
  needs: ['wrk', 'staffing server'],
  metrics: {
    anew: {
      label: 'Searches that do not repeat ÷ no-op GET, one thread',
      unit: 'ratio',
      goal: atLeast(0.1),
      goalHoldsFor: 'full',
    },
    threads: {
      label: 'Searches that do not repeat ÷ no-op GET, with reader threads',
      unit: 'ratio',
      goal: atLeast(0.15),
      goalHoldsFor: 'full',
    },
    processor: {
      label: 'Processor time of a search that does not repeat, one thread',
      unit: 'µs',
      goal: atMost(200),
      goalHoldsFor: 'full',
    },
    rate: { label: 'Searches that do not repeat, with reader threads', unit: 'requests/s' },
    p99: { label: 'The same, worst 99th percentile', unit: 'ms' },
    ratio: { label: 'Ten searches that repeat ÷ no-op GET', unit: 'ratio', goal: atLeast(0.35) },
  },
  short: { clinicians: 200_000, rounds: 3, seconds: 2 },
  full: { clinicians: 3_390_000, rounds: 5, seconds: 5 },
  async run({ clinicians, rounds, seconds }, bench) {
    const one = await measure(bench, clinicians, 0, rounds, seconds);
    const several = await measure(bench, clinicians, null, rounds, seconds);
    return {
      anew: one.anew,
      processor: one.processor,
      ratio: one.repeated,
      threads: several.anew,
      rate: several.rate,
      p99: several.p99,
    };
  },
});

/** Measures a server with a number of reader threads; null for its default. */
async function measure(
  bench: Bench,
  clinicians: number,
  threads: number | null,
  rounds: number,
  seconds: number,
) {
  const data = bench.newDirectory();
  buildMadeUp(join(data, 'registry'), clinicians);
  const { server, apiKey } = await startStaffingServer(data, threads);
  const load = (script: string, more: Record<string, string> = {}) =>
    runWrk({ url: server.url, connections: 16, seconds, script, env: { API_KEY: apiKey, ...more } });
  const seed = () => String(Math.floor(Math.random() * 2 ** 31));
  await load('search-anew.lua', { SEED: seed() });
  const measured: {
    repeated: number[];
    anew: number[];
    rates: number[];
    p99: number[];
    processor: number[];
  } = {
    repeated: [],
    anew: [],
    rates: [],
    p99: [],
    processor: [],
  };
  for (let round = 1; round <= rounds; round++) {
    const SEED = seed();
    const noop = await load('search-anew.lua', { NOOP: '1', SEED });
    const { result: anew, each } = await withProcessor(server, seconds, () =>
      load('search-anew.lua', { SEED }),
    );
    const repeated = await load('search.lua');
    measured.anew.push(anew.rate / noop.rate);
    measured.repeated.push(repeated.rate / noop.rate);
    measured.rates.push(anew.rate);
    measured.p99.push(anew.p99);
    measured.processor.push(each);
    const rates = [noop, anew, repeated].map(({ rate }) => rate.toFixed(0)).join(' | ');
    print(
      `| ${threads ?? 'default'} | ${round} | ${rates} | ${(anew.rate / noop.rate).toFixed(3)} | ${each.toFixed(0)} µs |`,
    );
  }
  await server.stop();
  return {
    anew: median(measured.anew),
    repeated: median(measured.repeated),
    rate: median(measured.rates),
    processor: median(measured.processor),
    p99: Math.max(...measured.p99),
  };
}

/** Runs a load and returns the processor time of the server for each request in microseconds. */
async function withProcessor<T extends { rate: number }>(
  server: BenchServer,
  seconds: number,
  run: () => Promise<T>,
) {
  const before = processorTime(server.pid);
  const result = await run();
  return { result, each: ((processorTime(server.pid) - before) * 1000) / (result.rate * seconds) };
}
