import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compile, EXECUTABLE } from '../build.ts';
import { ROOT } from '../sources.ts';
import { loadOf, median, print } from './server-process.ts';

/**
 * Searching the sample registry over HTTP with 16 connections, a mix as firms send it, against the same server's no-op GET, in
 * turns; then the first answer after exec of the product itself. Prints table rows and medians. Build first. Needs wrk.
 * `bun scripts/bench/staffing.ts [rounds]`
 */
const rounds = Number(process.argv[2] ?? 5);
const STARTS = 15;
const SERVER = join(ROOT, 'dist', 'bench-staffing');

compile('scripts/bench/staffing-server.ts', SERVER);
const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
try {
  const server = Bun.spawn([SERVER, data], { stdout: 'pipe', stderr: 'inherit' });
  const [url = '', apiKey = ''] = (await firstLine(server.stdout)).split(' ');
  const script = ['-s', join(ROOT, 'scripts', 'bench', 'search.lua')];
  const load = (more: Record<string, string> = {}) => {
    const command = ['wrk', '-t1', '-c16', '-d5', '--latency', ...script, url];
    const env = { ...process.env, API_KEY: apiKey, ...more };
    return loadOf(Bun.spawnSync(command, { env }).stdout.toString());
  };
  load();
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const noop = load({ NOOP: '1' });
    const search = load();
    ratios.push(search.rate / noop.rate);
    print(
      `| ${round} | ${noop.rate.toFixed(0)} | ${search.rate.toFixed(0)} | ${(search.rate / noop.rate).toFixed(3)} | ${search.p99} | ${search.max} |`,
    );
  }
  print(`median ratio ${median(ratios).toFixed(3)}`);
  server.kill('SIGTERM');
  await server.exited;

  const first: number[] = [];
  for (let start = 0; start < STARTS; start++) first.push(await firstAnswer());
  print(`first answer: median ${median(first).toFixed(0)} ms, slowest ${Math.max(...first).toFixed(0)} ms`);
} finally {
  rmSync(data, { recursive: true, force: true });
}

/** Milliseconds from exec to the first answer, on a data directory that is there. */
async function firstAnswer(): Promise<number> {
  const since = performance.now();
  const args = ['serve', '--service', 'staffing', '--port', '43117', '--data', data, '--log-level', 'silent'];
  const child = Bun.spawn([EXECUTABLE, ...args], { stdout: 'ignore', stderr: 'inherit' });
  for (;;) {
    const answer = await fetch('http://127.0.0.1:43117/api/health').catch(() => null);
    if (answer?.ok) break;
    await Bun.sleep(1);
  }
  const ms = performance.now() - since;
  child.kill('SIGTERM');
  await child.exited;
  return ms;
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return new TextDecoder().decode(chunk).trim();
  throw new Error('the server did not start');
}
