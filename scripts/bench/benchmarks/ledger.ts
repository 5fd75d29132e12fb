import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { checkedLedger } from '../ledger-check.ts';
import { seedLedger } from '../seed-ledger.ts';
import { startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';

export const ledger = defineBenchmark({
  name: 'ledger',
  capability: 'Credits',
  about:
    '`countersign ledger check` of a data directory, from exec to exit. 1,000 agents pay each other; more agents were only granted ' +
    'credits. Each movement has one or two journal entries to hash.',
  needs: ['product', 'trust server'],
  metrics: {
    seconds: { label: 'ledger check', unit: 's', goal: atMost(60), goalHoldsFor: 'full' },
    rate: { label: 'Movements checked a second', unit: 'count' },
    memory: { label: 'Memory of the check at most', unit: 'MB', goal: atMost(300), goalHoldsFor: 'full' },
  },
  short: { movements: 500_000, agents: 10_000, rounds: 3 },
  full: { movements: 10_000_000, agents: 100_000, rounds: 3 },
  async run({ movements, agents, rounds }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data)).stop();
    seedLedger(join(data, 'trust.db'), { movements, paying: 1000, others: agents - 1000 });
    const checks = [];
    for (let round = 1; round <= rounds; round++) {
      const check = await checkedLedger(data);
      if (check.movements !== movements) throw new Error(`it checked ${check.movements} movements`);
      checks.push(check);
      print(`| ${round} | ${check.seconds.toFixed(1)} s | ${check.memory.toFixed(0)} MB |`);
    }
    const seconds = median(checks.map((check) => check.seconds));
    return { seconds, rate: movements / seconds, memory: Math.max(...checks.map(({ memory }) => memory)) };
  },
});
