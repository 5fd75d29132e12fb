import { defineBenchmark } from './harness/benchmark.ts';
import { atLeast } from './harness/metric.ts';
import { startStaffingServer } from './server-process.ts';
import { median, print } from './statistics.ts';
import { runWrk } from './wrk.ts';

export const staffing = defineBenchmark({
  name: 'staffing',
  capability: 'Search of clinicians',
  about:
    'Searches of the sample registry over HTTP, 16 connections, against the no-op GET of the same server (same query, same schema, no ' +
    'key, no registry), in turns. Ten searches as firms send them, repeated, which the server answers from its cache; and searches ' +
    'that do not repeat.',
  needs: ['wrk', 'staffing server'],
  metrics: {
    ratio: { label: 'Ten searches that repeat ÷ no-op GET', unit: 'ratio', goal: atLeast(0.35) },
    anew: { label: 'Searches that do not repeat ÷ no-op GET', unit: 'ratio' },
    rate: { label: 'Searches that repeat', unit: 'requests/s' },
    p99: { label: 'Searches that repeat, worst 99th percentile', unit: 'ms' },
  },
  short: { rounds: 3, seconds: 2 },
  full: { rounds: 5, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const { server, apiKey } = await startStaffingServer(bench.newDirectory());
    const load = (script: string, more: Record<string, string> = {}) =>
      runWrk({ url: server.url, connections: 16, seconds, script, env: { API_KEY: apiKey, ...more } });
    await load('search.lua');
    const ratios: { repeated: number[]; anew: number[] } = { repeated: [], anew: [] };
    const loads = [];
    for (let round = 1; round <= rounds; round++) {
      const noop = await load('search.lua', { NOOP: '1' });
      const repeated = await load('search.lua');
      const SEED = String(Math.floor(Math.random() * 2 ** 31));
      const noopAnew = await load('search-anew.lua', { NOOP: '1', SEED });
      const anew = await load('search-anew.lua', { SEED });
      ratios.repeated.push(repeated.rate / noop.rate);
      ratios.anew.push(anew.rate / noopAnew.rate);
      loads.push(repeated);
      const rates = [noop, repeated, noopAnew, anew].map(({ rate }) => rate.toFixed(0));
      print(
        `| ${round} | ${rates.join(' | ')} | ${(repeated.rate / noop.rate).toFixed(3)} | ${(anew.rate / noopAnew.rate).toFixed(3)} |`,
      );
    }
    await server.stop();
    return {
      ratio: median(ratios.repeated),
      anew: median(ratios.anew),
      rate: median(loads.map(({ rate }) => rate)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
    };
  },
});
