import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { checkedLedger } from '../ledger-check.ts';
import { seedLedger } from '../seed-ledger.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt, runWrk } from '../wrk.ts';

const AGENTS = 1000;

export const engagements = defineBenchmark({
  name: 'engagements',
  capability: 'Credits',
  about:
    'Durable hires of one another by 1,000 agents against durable issuing on the same server, 64 connections, in turns. A 201 means authorized, ' +
    'the credits locked and booked, and the engagement stored. In the end, the audit of the ledger finds no problem.',
  needs: ['wrk', 'trust server', 'product'],
  metrics: {
    ratio: { label: 'Hires ÷ issue', unit: 'ratio', goal: atLeast(0.4) },
  },
  short: { rounds: 3, seconds: 3 },
  full: { rounds: 5, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data)).stop();
    const agents = join(data, 'agents');
    const commitments = seedLedger(join(data, 'trust.db'), {
      movements: 2 * AGENTS,
      paying: AGENTS,
      others: 0,
    });
    writeFileSync(agents, commitments.join('\n'));
    const server = await startServer(data, 'off');
    const hire = (time: number) =>
      runWrk({
        url: server.url,
        connections: 64,
        seconds: time,
        script: 'engagements.lua',
        env: { API_KEY, AGENTS: agents, PREFIX: `bench-${randomBytes(6).toString('hex')}-` },
      });
    await issueAt(`${server.url}/api/v1/receipts`, 2);
    await hire(2);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const issued = await issueAt(`${server.url}/api/v1/receipts`, seconds);
      const hired = await hire(seconds);
      ratios.push(hired.rate / issued.rate);
      print(
        `| ${round} | ${issued.rate.toFixed(0)} | ${hired.rate.toFixed(0)} | ${(hired.rate / issued.rate).toFixed(3)} | ${hired.p99} ms |`,
      );
    }
    await server.stop();
    await checkedLedger(data);
    return { ratio: median(ratios) };
  },
});
