import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { type SteadyClock, systemClock } from '../../../src/platform/time/clock.ts';
import { DAY_MS } from '../../../src/platform/time/units.ts';
import { recordHeads } from '../../../src/trust/receipts/heads/record-heads.ts';
import { openTrustService } from '../../../src/trust/service/service.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { rows } from '../receipt-rows.ts';
import { seedLedger } from '../seed-ledger.ts';
import { median, print } from '../statistics.ts';
import { watchDelays } from '../watch-delays.ts';

export const journalHeads = defineBenchmark({
  name: 'journal-heads',
  capability: 'Credits',
  about:
    'The daily leaf of journal heads, for accounts that all changed: from the start of the task to the commit of the leaf. A Worker reads ' +
    'the journals and hashes their heads; the main thread stores the rows. A stall is the processor time of the main thread between two runs of a timer of 1 ms.',
  needs: [],
  metrics: {
    seconds: { label: 'Seconds to the leaf', unit: 's', goal: atMost(20), goalHoldsFor: 'full' },
    stall: { label: 'Longest stall of the main thread', unit: 'ms', goal: atMost(10), goalHoldsFor: 'full' },
    bytes: { label: 'Bytes stored for each account', unit: 'bytes', goal: atMost(100), goalHoldsFor: 'full' },
  },
  short: { accounts: 100_000, rounds: 1 },
  full: { accounts: 1_000_000, rounds: 1 },
  async run({ accounts, rounds }, bench) {
    const measured = [];
    for (let round = 1; round <= rounds; round++) {
      const one = await recorded(bench.newDirectory(), accounts);
      print(
        `| ${round} | ${one.seconds.toFixed(1)} s | ${one.stall.toFixed(1)} ms | ${one.bytes.toFixed(0)} bytes |`,
      );
      measured.push(one);
    }
    return {
      seconds: median(measured.map(({ seconds }) => seconds)),
      stall: Math.max(...measured.map(({ stall }) => stall)),
      bytes: median(measured.map(({ bytes }) => bytes)),
    };
  },
});

async function recorded(path: string, accounts: number) {
  const file = join(path, 'trust.db');
  await (await opened(path, systemClock)).close();
  // The pool of the first operator has a journal too.
  seedLedger(file, { movements: 0, paying: 2, others: accounts - 3 });
  const before = bytesOf(file);
  // The movements are of a day that has ended.
  const { trust, close } = await opened(path, { ...systemClock, now: () => Date.now() + DAY_MS });
  // Else what the seeding left behind is collected meanwhile, on the measured thread.
  Bun.gc(true);
  const delays = watchDelays();
  const since = performance.now();
  await recordHeads(trust);
  const seconds = (performance.now() - since) / 1000;
  const stall = delays.stop();
  const [leaf] = rows<{ accounts: number }>(file, 'SELECT accounts FROM account_leaf WHERE date IS NOT NULL');
  if (leaf?.accounts !== accounts) throw new Error(`the leaf has ${leaf?.accounts} accounts`);
  await close();
  return { seconds, stall, bytes: (bytesOf(file) - before) / accounts };
}

/** Returns the size of a database, with what is still in its write-ahead log. */
function bytesOf(file: string): number {
  const [size] = rows<{ bytes: number }>(
    file,
    'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size',
  );
  return size?.bytes ?? 0;
}

/** Opens the service in this process, without its scheduler. */
async function opened(path: string, clock: SteadyClock) {
  const directory = takeDataDirectory(path);
  const options = { version: 'bench', url: 'http://localhost:3000', clock };
  const { trust, close } = await openTrustService(directory, new Map(), pino({ level: 'silent' }), options);
  return {
    trust,
    async close() {
      await close();
      directory.release();
    },
  };
}
