import { creditedAgent } from '../../../test/support/credits.ts';
import { chainSettings } from '../../../test/support/evm/payout-app.ts';
import { startChain } from '../../../test/support/evm/test-chain.ts';
import { queuePayouts } from '../../../test/support/payouts.ts';
import { EXECUTABLE, run, serve } from '../../../test/support/process.ts';
import { openTrustApp } from '../../../test/support/trust-app.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { memoryOf } from '../server-process.ts';
import { print } from '../statistics.ts';

/** The payouts that one transaction queues. */
const TOGETHER = 500;
/** The credits of a payout, which are as many cents. */
const CREDITS = 3;
/** The smallest units of the token in a cent. */
const UNITS = 10_000n;
const BLOCK_MS = 100;
const IDLE_MS = 8000;

export const payouts = defineBenchmark({
  name: 'payouts',
  capability: 'Credits',
  about:
    'A queue of withdrawals is paid with an ERC-20 token on a node of Hardhat on the same machine, which mines a block for each transaction ' +
    'and every 100 ms. Idle is the same server while all withdrawals are held. In the end, every withdrawal is confirmed, the wallet has ' +
    'exactly their sum, and `fsck` finds no problem.',
  needs: ['product'],
  metrics: {
    memory: { label: 'Memory of the server above idle, peak', unit: 'MB', goal: atMost(50) },
    idle: { label: 'Memory of the idle server', unit: 'MB' },
    rate: { label: 'Payouts confirmed, with the node on the same machine', unit: 'requests/s' },
  },
  short: { payouts: 1000 },
  full: { payouts: 10_000 },
  async run({ payouts: count }, bench) {
    const data = `${bench.newDirectory()}/data`;
    const chain = await startChain();
    try {
      const token = await chain.deploy(UNITS * BigInt(count * CREDITS));
      const wallet = await queueAll(data, count);
      const env = environment({
        ...chainSettings(chain, token),
        'evm.confirmations': '2',
        'payouts.rail': 'evm',
      });
      await command(data, env, 'hold', '--all');
      const server = await serve(data, env);
      await Bun.sleep(IDLE_MS);
      const idle = memoryOf(server.pid, 'VmRSS');
      const before = memoryOf(server.pid, 'VmHWM');
      const begun = performance.now();
      await command(data, env, 'release', '--all');
      let open = count;
      let peak = idle;
      while (open > 0) {
        await chain.mine();
        await Bun.sleep(BLOCK_MS);
        peak = Math.max(peak, memoryOf(server.pid, 'VmRSS'));
        const paid = (await chain.tokens(token, wallet)) / UNITS / BigInt(CREDITS);
        if (Number(paid) < count) continue;
        const [queued, submitted] = [await listed(data, env, 'queued'), await listed(data, env, 'submitted')];
        open = queued + submitted;
      }
      const seconds = (performance.now() - begun) / 1000;
      const highest = Math.max(
        peak,
        memoryOf(server.pid, 'VmHWM') > before ? memoryOf(server.pid, 'VmHWM') : 0,
      );
      print(
        `${count} payouts in ${seconds.toFixed(0)} s; memory ${idle.toFixed(0)} → ${highest.toFixed(0)} MB`,
      );
      await server.stop();
      const sum = await chain.tokens(token, wallet);
      if (sum !== UNITS * BigInt(count * CREDITS)) throw new Error(`the wallet has ${sum} units`);
      const confirmed = await listed(data, env, 'confirmed', String(count + 1));
      if (confirmed !== count) throw new Error(`${confirmed} of ${count} are confirmed`);
      // It has a low priority, so it may take longer than other commands.
      const fsck = Bun.spawn([EXECUTABLE, 'fsck', data], { stdout: 'ignore', stderr: 'inherit' });
      if ((await fsck.exited) !== 0) throw new Error('fsck found problems');
      return { memory: highest - idle, idle, rate: count / seconds };
    } finally {
      await chain.stop();
    }
  },
});

/** Queues payouts in a new data directory, as withdrawals do. @returns the wallet that they are paid to */
async function queueAll(data: string, count: number): Promise<string> {
  const app = await openTrustApp({}, null, data);
  try {
    const agent = await creditedAgent(app, { credits: { paid: count * CREDITS } });
    let address = '';
    for (let from = 0; from < count; from += TOGETHER) {
      const requests = Array.from({ length: Math.min(TOGETHER, count - from) }, (_, n) => ({
        amount: CREDITS,
        reference: `payout ${from + n}`,
      }));
      const [first] = await queuePayouts(app, agent, requests);
      address = first?.payout.address ?? address;
    }
    return address;
  } finally {
    await app.close();
  }
}

function environment(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      `COUNTERSIGN_${key.replaceAll('.', '_').toUpperCase()}`,
      value,
    ]),
  );
}

async function command(data: string, env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(['payouts', ...args, '--data', data], { env });
  if (code !== 0) throw new Error(`payouts ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Counts the payouts with a status. */
async function listed(
  data: string,
  env: Record<string, string>,
  status: string,
  limit = '1',
): Promise<number> {
  const text = await command(data, env, 'list', '--status', status, '--limit', limit, '--json');
  return text.split('\n').length - 1;
}
