import { rmSync } from 'node:fs';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt } from '../wrk.ts';

export const checks = defineBenchmark({
  name: 'checks',
  capability: 'Receipts',
  about:
    'What rate limits and idempotency cost when issuing, each on a server with a fresh database, in turns, 64 connections. With an ' +
    'Idempotency-Key on every request, the server stores each response: one more row to write.',
  needs: ['wrk', 'trust server'],
  metrics: {
    limits: { label: 'Issue, rate limits on ÷ off', unit: 'ratio', goal: atLeast(0.95) },
    keys: { label: 'Issue, with rate limits and an Idempotency-Key ÷ without both', unit: 'ratio' },
  },
  short: { rounds: 3, seconds: 3 },
  full: { rounds: 5, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const rate = async (limits: 'on' | 'off', kind: 'numbered' | 'idempotent'): Promise<number> => {
      const data = bench.newDirectory();
      const server = await startServer(data, limits);
      await issueAt(`${server.url}/api/v1/receipts`, 2, kind);
      const load = await issueAt(`${server.url}/api/v1/receipts`, seconds, kind);
      await server.stop();
      rmSync(data, { recursive: true });
      return load.rate;
    };
    const ratios: { limits: number[]; keys: number[] } = { limits: [], keys: [] };
    for (let round = 1; round <= rounds; round++) {
      const without = await rate('off', 'numbered');
      const limits = await rate('on', 'numbered');
      const keys = await rate('on', 'idempotent');
      ratios.limits.push(limits / without);
      ratios.keys.push(keys / without);
      print(`| ${round} | ${[without, limits, keys].map((one) => one.toFixed(0)).join(' | ')} |`);
    }
    return { limits: median(ratios.limits), keys: median(ratios.keys) };
  },
});
