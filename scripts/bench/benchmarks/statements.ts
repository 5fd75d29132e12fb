import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { creditsOf, type JournalAccount } from '../../../src/trust/ledger/accounts.ts';
import { Months } from '../../../src/trust/ledger/statements/months.ts';
import { OperatorBuilds } from '../../../src/trust/ledger/statements/operator-builds.ts';
import { trustDatabase } from '../../../src/trust/service/database.ts';
import { openTrustService } from '../../../src/trust/service/service.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { seedLedger } from '../seed-ledger.ts';
import { median, print } from '../statistics.ts';

/** The movements of the month that the goal is for. */
const MONTH = 100_000;

export const statements = defineBenchmark({
  name: 'statements',
  capability: 'Credits',
  about:
    'The sums of a month of a journal, in a Worker, from the order to the report. Agents pay each other, so the movements of each are ' +
    'spread over the file: each has a month of 100,000. In another file one agent has all movements in its month.',
  needs: [],
  metrics: {
    month: {
      label: 'A month of 100,000 movements',
      unit: 'ms',
      goal: atMost(500),
    },
    large: { label: 'A month of all movements', unit: 's' },
    memory: {
      label: 'Memory that it takes',
      unit: 'MB',
      goal: atMost(60),
    },
  },
  short: { movements: 1_000_000, rounds: 5 },
  full: { movements: 10_000_000, rounds: 5 },
  async run({ movements, rounds }, bench) {
    const many = await seeded(bench.newDirectory(), movements, Math.round((2 * movements) / MONTH));
    const times: number[] = [];
    const months = new Months(many.file, new OperatorBuilds(null));
    // The first statement starts the Worker.
    await timeOf(months, many.accounts.at(-1));
    for (const account of many.accounts.slice(0, rounds)) {
      const { ms, entries } = await timeOf(months, account);
      times.push((ms * MONTH) / entries);
      print(`| ${entries} entries | ${ms.toFixed(0)} ms |`);
    }
    months.close();
    const two = await seeded(bench.newDirectory(), movements, 2);
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    const largest = new Months(two.file, new OperatorBuilds(null));
    const { ms } = await timeOf(largest, two.accounts[0]);
    const memory = (process.memoryUsage().rss - before) / 1e6;
    largest.close();
    return { month: median(times), large: ms / 1000, memory };
  },
});

/** Adds up all of a journal. */
async function timeOf(months: Months, account: JournalAccount | undefined) {
  if (account === undefined) throw new Error('there is no such agent');
  const start = performance.now();
  const order = { account, start: 0, end: Date.now() + 1, isOwn: true, payer: null };
  const { entries } = await months.sumsOf(order, null, async () => () => undefined);
  return { ms: performance.now() - start, entries };
}

/** Makes a database with movements between agents. */
async function seeded(path: string, movements: number, paying: number) {
  const directory = takeDataDirectory(path);
  const log = pino({ level: 'silent' });
  const options = { version: 'bench', url: 'http://localhost:3000' };
  const service = await openTrustService(directory, new Map(), log, options);
  await service.close();
  directory.release();
  const file = join(path, trustDatabase.name);
  const commitments = seedLedger(file, { movements, paying, others: 0 });
  const database = new Database(file, { readonly: true });
  const seqOf = database.query<{ seq: number }, [Uint8Array]>(
    'SELECT agent_seq AS seq FROM agent WHERE subject_commitment = ?',
  );
  const accounts = commitments.map((subjectCommitment) =>
    creditsOf({ agentSeq: seqOf.get(Buffer.from(subjectCommitment, 'hex'))?.seq ?? 0, subjectCommitment }),
  );
  database.close();
  return { file, accounts };
}
