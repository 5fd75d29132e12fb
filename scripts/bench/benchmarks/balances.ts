import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { seedLedger } from '../seed-ledger.ts';
import { startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { type Load, runWrk } from '../wrk.ts';

export const balances = defineBenchmark({
  name: 'balances',
  capability: 'Credits',
  about:
    'Reading the balance of an agent, another one each time, against a no-op GET on the same server, 64 connections, in turns, with many ' +
    'movements in the ledger.',
  needs: ['wrk', 'trust server'],
  metrics: {
    ratio: { label: 'Balance read ÷ no-op GET', unit: 'ratio', goal: atLeast(0.65), goalHoldsFor: 'full' },
    rate: { label: 'Balances read', unit: 'requests/s' },
    p99: { label: 'Balance read, worst 99th percentile', unit: 'ms' },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { movements: 500_000, agents: 100_000, rounds: 3, seconds: 3 },
  full: { movements: 10_000_000, agents: 100_000, rounds: 5, seconds: 5 },
  async run({ movements, agents, rounds, seconds }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data)).stop();
    const file = join(data, 'agents');
    const seed = { movements, paying: 1000, others: agents - 1000 };
    writeFileSync(file, seedLedger(join(data, 'trust.db'), seed).join('\n'));
    const server = await startServer(data, 'off');
    let turns = 0;
    const read = (env: Record<string, string>, time = seconds): Promise<Load> => {
      turns += 1;
      // Each run begins at another agent, so that no cache has the rows of the run before it.
      const started = { AGENTS: file, FROM: String(turns * 10_007), ...env };
      return runWrk({ url: server.url, connections: 64, seconds: time, script: 'balance.lua', env: started });
    };
    await read({ NOOP: '1' }, 2);
    await read({}, 2);
    const ratios: number[] = [];
    const loads: Load[] = [];
    for (let round = 1; round <= rounds; round++) {
      const noop = await read({ NOOP: '1' });
      const balance = await read({});
      ratios.push(balance.rate / noop.rate);
      loads.push(balance);
      print(
        `| ${round} | ${noop.rate.toFixed(0)} | ${balance.rate.toFixed(0)} | ${(balance.rate / noop.rate).toFixed(3)} | ${balance.p99} ms |`,
      );
    }
    const memory = server.memory().now;
    await server.stop();
    return {
      ratio: median(ratios),
      rate: median(loads.map(({ rate }) => rate)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      memory,
    };
  },
});
