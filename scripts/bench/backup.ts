import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE } from '../build.ts';
import { ROOT } from '../sources.ts';
import { seed } from './seed.ts';
import { compileServer, print, startServer, wrkWhile } from './server-process.ts';

/**
 * What a backup costs those who are being served: issuing for some seconds with and without one beside it, in turns, on a
 * database with many receipts. Prints a table row a round. Build first. Needs wrk and 3 GB of disk.
 * `bun scripts/bench/backup.ts [receipts] [rounds]`
 */
const receipts = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);
const SECONDS = 15;

compileServer();
const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
try {
  await (await startServer(data)).stop();
  seed(join(data, 'trust.db'), receipts);
  const server = await startServer(data);
  const url = `${server.url}/api/v1/receipts`;
  await wrkWhile(url, 3, 'mixed', async () => undefined);
  print(
    '| Round | Alone, requests/s | p99 | slowest | Beside a backup, requests/s | p99 | slowest | Backup |',
  );
  for (let round = 1; round <= rounds; round++) {
    const alone = await wrkWhile(url, SECONDS, 'mixed', async () => undefined);
    let backup = '';
    const beside = await wrkWhile(url, SECONDS, 'mixed', async () => {
      backup = await backUp(join(data, `backup-${round}`));
    });
    const figures = [alone, beside].map(({ rate, p99, max }) => `${rate.toFixed(0)} | ${p99} | ${max}`);
    print(`| ${round} | ${figures.join(' | ')} | ${backup} |`);
  }
  await server.stop();
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function backUp(out: string): Promise<string> {
  await Bun.sleep(1000);
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'backup', out, '--data', data], { stderr: 'pipe' });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
  const seconds = (performance.now() - since) / 1000;
  const size = statSync(out).size / 2 ** 20;
  rmSync(out);
  return `${size.toFixed(0)} MiB in ${seconds.toFixed(1)} s`;
}
