import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { checkedLedger } from '../ledger-check.ts';
import { seedLedger } from '../seed-ledger.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt, type Load, runWrk } from '../wrk.ts';

const AGENTS = 1000;

export const transfers = defineBenchmark({
  name: 'transfers',
  capability: 'Credits',
  about:
    'Durable transfers of credits against durable issuing of receipts on the same server, 64 connections, in turns: once spread over ' +
    '1,000 agents, once always from one agent to another. A 201 means authorized, booked on both balances, hashed into both journals, ' +
    'both tiers evaluated, and durable. In the end, `ledger check` finds no problem.',
  needs: ['wrk', 'trust server', 'product'],
  metrics: {
    spread: { label: 'Transfers of 1,000 agents ÷ issue', unit: 'ratio', goal: atLeast(0.8) },
    pair: { label: 'Transfers of one pair ÷ issue', unit: 'ratio', goal: atLeast(0.6) },
    rate: { label: 'Transfers of 1,000 agents', unit: 'requests/s' },
    p99: { label: 'Transfers, worst 99th percentile', unit: 'ms' },
    slowest: { label: 'Transfers, slowest response', unit: 'ms' },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { rounds: 3, seconds: 3 },
  full: { rounds: 5, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data)).stop();
    const agents = join(data, 'agents');
    writeFileSync(
      agents,
      seedLedger(join(data, 'trust.db'), { movements: 2 * AGENTS, paying: AGENTS, others: 0 }).join('\n'),
    );
    const server = await startServer(data);
    const url = `${server.url}/api/v1/passport/credits/transfers`;
    const transfer = (env: Record<string, string>, time = seconds): Promise<Load> =>
      runWrk({
        url,
        connections: 64,
        seconds: time,
        script: 'transfer.lua',
        env: { API_KEY, AGENTS: agents, ...env },
      });
    await issueAt(`${server.url}/api/v1/receipts`, 2);
    await transfer({}, 2);
    const ratios: { spread: number[]; pair: number[] } = { spread: [], pair: [] };
    const rates: number[] = [];
    const loads: Load[] = [];
    for (let round = 1; round <= rounds; round++) {
      const issued = await issueAt(`${server.url}/api/v1/receipts`, seconds);
      const spread = await transfer({});
      const pair = await transfer({ PAIR: '1' });
      ratios.spread.push(spread.rate / issued.rate);
      ratios.pair.push(pair.rate / issued.rate);
      rates.push(spread.rate);
      loads.push(spread, pair);
      const texts = [issued.rate, spread.rate, pair.rate].map((rate) => rate.toFixed(0));
      print(
        `| ${round} | ${texts.join(' | ')} | ${(spread.rate / issued.rate).toFixed(3)} | ${(pair.rate / issued.rate).toFixed(3)} | ${spread.p99} ms | ${pair.p99} ms |`,
      );
    }
    const memory = server.memory().now;
    await server.stop();
    await checkedLedger(data);
    return {
      spread: median(ratios.spread),
      pair: median(ratios.pair),
      rate: median(rates),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      slowest: Math.max(...loads.map(({ max }) => max)),
      memory,
    };
  },
});
