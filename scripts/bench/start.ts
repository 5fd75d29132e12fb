import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE } from '../build.ts';
import { ROOT } from '../sources.ts';

/**
 * Milliseconds from exec to the first answered request, and the memory of an idle server. Build first.
 * `bun scripts/bench/start.ts [starts]`
 */
const starts = Number(process.argv[2] ?? 15);
const port = 20_000 + Math.floor(Math.random() * 10_000);
const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
const times: number[] = [];
const memory: number[] = [];
try {
  for (let start = 0; start < starts; start++) {
    const since = performance.now();
    const server = Bun.spawn([EXECUTABLE, 'serve', '--port', String(port), '--data', data], {
      stdout: 'ignore',
      stderr: 'ignore',
    });
    while (!(await answers())) await Bun.sleep(1);
    times.push(performance.now() - since);
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
    memory.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    server.kill('SIGTERM');
    await server.exited;
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}
process.stdout.write(`first answer: ${spread(times)} ms\nidle memory: ${spread(memory)} MiB\n`);

async function answers(): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/api/health`)).ok;
  } catch {
    return false;
  }
}

function spread(values: number[]): string {
  const sorted = values.sort((left, right) => left - right);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0);
  return `min ${at(0)}, median ${at(0.5)}, max ${at(1)}`;
}
