import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  KEYS,
  linesOf,
  madeAccount,
  OPERATOR,
  POLICY,
  refreshCheckpoint,
  writeAccountLog,
} from '../../../test/support/made-account.ts';
import { EXECUTABLE } from '../../build.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { median, print } from '../statistics.ts';

export const complete = defineBenchmark({
  name: 'complete',
  capability: 'Verification and audit',
  about:
    '`countersign verify --complete` of all receipts of a linked account, with its log in a directory, against `countersign verify` of the ' +
    'same file, from exec to exit, in turns. The memory is the largest resident set, against that with a tenth of the receipts.',
  needs: ['product'],
  metrics: {
    ratio: {
      label: 'Receipts proven complete ÷ receipts verified, a second',
      unit: 'ratio',
      goal: atLeast(0.5),
    },
    rate: { label: 'Receipts proven complete a second', unit: 'count' },
    memory: { label: 'Memory', unit: 'MB' },
    growth: { label: 'Memory ÷ memory with a tenth of the receipts', unit: 'ratio', goal: atMost(1.5) },
  },
  short: { receipts: 100_000, rounds: 3 },
  full: { receipts: 1_000_000, rounds: 3 },
  async run({ receipts, rounds }, bench) {
    const few = madeAccountIn(bench.newDirectory(), receipts / 10);
    const all = madeAccountIn(bench.newDirectory(), receipts);
    const [ratios, rates, sizes, fewer]: number[][] = [[], [], [], []];
    for (let round = 1; round <= rounds; round++) {
      const bulk = await measured(all, bulkCommand(all));
      const proven = await measured(all, completeCommand(all));
      const ofFew = await measured(few, completeCommand(few));
      ratios?.push(bulk.seconds / proven.seconds);
      rates?.push(receipts / proven.seconds);
      sizes?.push(proven.mb);
      fewer?.push(ofFew.mb);
      print(
        `| ${round} | ${bulk.seconds.toFixed(2)} s | ${proven.seconds.toFixed(2)} s | ${(bulk.seconds / proven.seconds).toFixed(3)} | ${proven.mb.toFixed(0)} MB | ${ofFew.mb.toFixed(0)} MB |`,
      );
    }
    const memory = median(sizes ?? []);
    return {
      ratio: median(ratios ?? []),
      rate: median(rates ?? []),
      memory,
      growth: memory / median(fewer ?? []),
    };
  },
});

/** Writes an account into a directory. @returns the directory */
export function madeAccountIn(directory: string, receipts: number): string {
  const account = madeAccount(receipts, Date.now());
  writeAccountLog(directory, account);
  writeFileSync(join(directory, 'keys.json'), KEYS);
  writeFileSync(join(directory, 'policy.txt'), POLICY);
  writeFileSync(join(directory, 'receipts.ndjson'), linesOf(account.receipts));
  return directory;
}

const bulkCommand = (directory: string): string[] => [
  ...['verify', join(directory, 'receipts.ndjson'), '--keys', join(directory, 'keys.json')],
];

/** The command that proves the receipts of such a directory complete; its checkpoint must be fresh. */
export const completeCommand = (directory: string): string[] => [
  ...bulkCommand(directory),
  ...['--complete', '--operator', OPERATOR, '--log', directory],
  ...['--policy', join(directory, 'policy.txt')],
];

/**
 * Runs a command on the receipts of a directory, whose checkpoint is cosigned just before. @throws Error
 * unless they are valid
 */
async function measured(directory: string, command: string[]): Promise<{ seconds: number; mb: number }> {
  refreshCheckpoint(directory, Date.now());
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, ...command], { stdout: 'pipe', stderr: 'pipe' });
  const peak = { bytes: 0 };
  const timer = setInterval(() => {
    peak.bytes = Math.max(peak.bytes, residentBytes(child.pid));
  }, 20);
  const summary = await new Response(child.stdout).text();
  clearInterval(timer);
  const code = await child.exited;
  const seconds = (performance.now() - since) / 1000;
  // Without --complete, a revoked receipt is named and the exit code is 1.
  if (code !== 0 && command.includes('--complete')) throw new Error(`not complete: ${summary.slice(-1000)}`);
  return { seconds, mb: peak.bytes / 1e6 };
}

/**
 * The largest resident set so far. The resource usage of a child also counts its parent's, from before exec.
 */
function residentBytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
