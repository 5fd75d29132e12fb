import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { checkedLedger } from '../ledger-check.ts';
import { SETTLEMENT_SECRET } from '../secrets.ts';
import { seedLedger } from '../seed-ledger.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { signedRequests } from '../signed-requests.ts';
import { median, print } from '../statistics.ts';
import { issueAt, type Load, runWrk } from '../wrk.ts';

const AGENTS = 1000;
/** More settlements than are booked in a second. */
const SETTLED_A_SECOND = 20_000;

export const payments = defineBenchmark({
  name: 'payments',
  capability: 'Credits',
  about:
    'Durable payments and settlements of 1,000 agents against durable issuing of receipts on the same server, 64 connections, in turns. ' +
    'Every payment has its own nonce, and every settlement its own reference and signature, made ahead. A 201 for a payment means authorized, ' +
    'booked, hashed into the journal, signed and durable; for a settlement verified, booked, hashed into the journal and durable. In the ' +
    'end, `ledger check` finds no problem.',
  needs: ['wrk', 'trust server', 'product'],
  metrics: {
    spend: { label: 'Payments ÷ issue', unit: 'ratio', goal: atLeast(0.3) },
    settlement: { label: 'Settlements ÷ issue', unit: 'ratio', goal: atLeast(0.3) },
    spendRate: { label: 'Payments', unit: 'requests/s' },
    settlementRate: { label: 'Settlements', unit: 'requests/s' },
    spendP99: { label: 'Payments, worst 99th percentile', unit: 'ms', goal: atMost(20) },
    settlementP99: { label: 'Settlements, worst 99th percentile', unit: 'ms', goal: atMost(20) },
    slowest: { label: 'Slowest response', unit: 'ms' },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { rounds: 3, seconds: 3 },
  full: { rounds: 5, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data)).stop();
    const commitments = seedLedger(join(data, 'trust.db'), {
      movements: 2 * AGENTS,
      paying: AGENTS,
      others: 0,
    });
    const files = { agents: join(data, 'agents'), settlements: join(data, 'settlements') };
    writeFileSync(files.agents, commitments.join('\n'));
    const server = await startServer(data);
    const send = (
      what: 'spend' | 'settlement',
      script: string,
      time: number,
      env: Record<string, string>,
    ): Promise<Load> =>
      runWrk({
        url: `${server.url}/api/v1/agent-pay/${what}`,
        connections: 64,
        seconds: time,
        script,
        env: { API_KEY, ...env },
      });
    const spend = (time = seconds) =>
      send('spend', 'spend.lua', time, { AGENTS: files.agents, PREFIX: randomBytes(8).toString('hex') });
    const settle = (time = seconds) => {
      const bodies = settlementBodies(commitments, time * SETTLED_A_SECOND);
      writeFileSync(files.settlements, signedRequests(bodies, SETTLEMENT_SECRET));
      const env = { REQUESTS: files.settlements, HEADER: 'x-settlement-signature' };
      return send('settlement', 'signed.lua', time, env);
    };
    await issueAt(`${server.url}/api/v1/receipts`, 2);
    await spend(2);
    await settle(2);
    const results: { spent: Load; settled: Load; issued: Load }[] = [];
    for (let round = 1; round <= rounds; round++) {
      const issued = await issueAt(`${server.url}/api/v1/receipts`, seconds);
      const spent = await spend();
      const settled = await settle();
      results.push({ issued, spent, settled });
      const rates = [issued, spent, settled].map(({ rate, p99 }) => `${rate.toFixed(0)}, p99 ${p99} ms`);
      print(
        `| ${round} | ${rates.join(' | ')} | ${(spent.rate / issued.rate).toFixed(3)} | ${(settled.rate / issued.rate).toFixed(3)} |`,
      );
    }
    const memory = server.memory().now;
    await server.stop();
    await checkedLedger(data);
    const spends = results.map(({ spent }) => spent);
    const settlements = results.map(({ settled }) => settled);
    return {
      spend: median(results.map(({ spent, issued }) => spent.rate / issued.rate)),
      settlement: median(results.map(({ settled, issued }) => settled.rate / issued.rate)),
      spendRate: median(spends.map(({ rate }) => rate)),
      settlementRate: median(settlements.map(({ rate }) => rate)),
      spendP99: Math.max(...spends.map(({ p99 }) => p99)),
      settlementP99: Math.max(...settlements.map(({ p99 }) => p99)),
      slowest: Math.max(...[...spends, ...settlements].map(({ max }) => max)),
      memory,
    };
  },
});

/** Returns the bodies of settlements, each with a reference of its own. */
function settlementBodies(commitments: readonly string[], count: number): string[] {
  const prefix = randomBytes(8).toString('hex');
  return Array.from({ length: count }, (_, at) => {
    const subject_commitment = commitments[(at * 487) % commitments.length];
    return JSON.stringify({ rail: 'x402', reference: `${prefix}-${at}`, subject_commitment, credits: 5 });
  });
}
