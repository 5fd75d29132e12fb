import { join } from 'node:path';
import { scratch } from '../../test/support/process.ts';

/** What simulations with kills did. */
export interface Simulated {
  operations: number;
  /** How many of each type took effect. */
  accepted: Map<string, number>;
  /** How many were refused with each code. */
  refused: Map<string, number>;
  kills: number;
  /** The requests whose responses the kills cut off. */
  unanswered: number;
}

/** The operations in one data directory: later ones meet too many agents that are revoked. */
const OF_WORLD = 1_250;
/** The kills in one data directory. */
const KILLS = 3;

/**
 * Simulates the ledger: random operations, several at once, in a process that is killed with SIGKILL
 * repeatedly. After each batch and after each kill, balances, lots, holds, statuses and refusals must be what
 * an independent model has; at the end of each data directory journals, wallets and fsck, too.
 *
 * @param seed of the operations; where the kills hit is random
 * @throws Error with the output of the process at the first difference
 */
export async function simulatedLedger(operations: number, seed: number): Promise<Simulated> {
  const all: Simulated = { operations: 0, accepted: new Map(), refused: new Map(), kills: 0, unanswered: 0 };
  for (let world = 0; all.operations < operations; world++)
    await simulateWorld(Math.min(OF_WORLD, operations - all.operations), seed + world * 1_000_000, all);
  return all;
}

async function simulateWorld(operations: number, seed: number, all: Simulated): Promise<void> {
  const { path, dispose } = scratch();
  try {
    for (let kills = 0; ; kills++) {
      // At a random operation, so that each kill hits another point within a commit group.
      const share = operations / (KILLS + 1);
      const limit = kills < KILLS ? Math.floor(share * (kills + 0.5 + Math.random())) : null;
      const { unanswered, done, isKilled, errors } = await lifeUntil(limit, [
        path,
        `${seed}`,
        `${operations}`,
      ]);
      all.unanswered += unanswered;
      all.kills += isKilled ? 1 : 0;
      if (done !== null) {
        all.operations += done.operations;
        for (const [type, times] of done.accepted)
          all.accepted.set(type, (all.accepted.get(type) ?? 0) + times);
        for (const [code, times] of done.refused) all.refused.set(code, (all.refused.get(code) ?? 0) + times);
        return;
      }
      if (!isKilled) throw new Error(`the simulation with seed ${seed} failed: ${errors}`);
    }
  } finally {
    dispose();
  }
}

type Counts = [name: string, times: number][];

interface Life {
  /** The requests of the life before without a response. */
  unanswered: number;
  done: { operations: number; accepted: Counts; refused: Counts } | null;
  isKilled: boolean;
  errors: string;
}

/** Runs the simulation until it ends, or is killed after a number of operations. */
async function lifeUntil(limit: number | null, args: readonly string[]): Promise<Life> {
  const script = join(import.meta.dir, 'simulated-ledger-child.ts');
  const child = Bun.spawn([process.execPath, script, ...args], { stdout: 'pipe', stderr: 'pipe' });
  const errors = new Response(child.stderr).text();
  let unanswered = 0;
  let done: Life['done'] = null;
  let isKilled = false;
  for await (const line of linesOf(child.stdout)) {
    const [word, value = ''] = line.split(/ (.*)/);
    if (word === 'unanswered') unanswered = Number(value);
    if (word === 'done') done = JSON.parse(value);
    if (word !== 'sent' || limit === null || Number(value) < limit || isKilled) continue;
    isKilled = true;
    // In the middle of the next batch, which takes about 30 ms.
    setTimeout(() => child.kill('SIGKILL'), Math.random() * 40);
  }
  await child.exited;
  return { unanswered, done, isKilled: isKilled && child.signalCode === 'SIGKILL', errors: await errors };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function listed(counts: ReadonlyMap<string, number>): string {
  const sum = [...counts.values()].reduce((total, times) => total + times, 0);
  return `${sum} (${[...counts]
    .map(([name, times]) => `${times} ${name}`)
    .sort()
    .join(', ')})`;
}

if (import.meta.main) {
  const [operations = '20000', seed = `${Date.now() % 1_000_000}`] = process.argv.slice(2);
  const began = performance.now();
  const { accepted, refused, ...result } = await simulatedLedger(Number(operations), Number(seed));
  const seconds = Math.round((performance.now() - began) / 1000);
  process.stdout.write(
    `took effect: ${listed(accepted)}\nrefused: ${listed(refused)}\n${result.operations} operations, ${result.kills} kills, ` +
      `${result.unanswered} requests without a response, 0 differences, seed ${seed}, ${seconds} s\n`,
  );
}
