import { killNine as killReceipts } from '../../torture/kill-nine.ts';
import { killNineEvidence } from '../../torture/kill-nine-evidence.ts';
import { killNineLedger } from '../../torture/kill-nine-ledger.ts';
import { killNinePayouts } from '../../torture/kill-nine-payouts.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { print } from '../statistics.ts';

export const killNine = defineBenchmark({
  name: 'kill-nine',
  capability: 'Durability',
  about:
    'The benchmark kills the service with SIGKILL at a random moment under load, repeatedly on one data directory: once under 32 ' +
    'clients that issue and finalize receipts, once while two agents send evidence over 16 connections, and once while 48 clients spend ' +
    'the credits of 16 agents: transfers, hires, deliveries, acceptances and cancellations. After each restart everything that was ' +
    'acknowledged with 2xx must exist and verify, no checkpoint that a client saw may be contradicted, every chain must be complete, and the ' +
    'database must be intact. Every account must be what its movements say, the sum of each class of credits zero, and a request that ' +
    'is sent again booked once. One loss fails the benchmark.',
  needs: ['product'],
  metrics: {
    lost: {
      label: 'Receipts, items of evidence and movements of credits lost',
      unit: 'count',
      goal: atMost(0),
    },
    receipts: { label: 'Receipts acknowledged with 2xx', unit: 'count' },
    evidence: { label: 'Items of evidence acknowledged with 201', unit: 'count' },
    movements: { label: 'Operations on credits acknowledged with 2xx', unit: 'count' },
  },
  short: { kills: 10 },
  full: { kills: 200 },
  async run({ kills }) {
    const receipts = await killReceipts(kills);
    print(`${kills} kills, ${receipts} receipts promised, none lost, all verify`);
    const evidence = await killNineEvidence(kills);
    print(`${kills} kills, ${evidence} items of evidence promised, none lost, both chains whole`);
    const movements = await killNineLedger(kills);
    print(`${kills} kills, ${movements} operations on credits promised, none lost, none booked twice`);
    const payouts = await killNinePayouts(Math.ceil(kills / 4));
    print(`${Math.ceil(kills / 4)} kills, ${payouts} payouts confirmed or failed, each once`);
    // Each throws at the first lost item.
    return { lost: 0, receipts, evidence, movements };
  },
});
