import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE } from '../../build.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { seed } from '../seed.ts';
import { startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt } from '../wrk.ts';

export const backup = defineBenchmark({
  name: 'backup',
  capability: 'Receipts',
  about:
    'What a backup costs the clients of a server with many receipts: issuing without and with a concurrent `countersign backup`, 64 ' +
    'connections, in turns. The backup starts one second after the requests.',
  needs: ['wrk', 'product', 'trust server'],
  metrics: {
    slowest: { label: 'Issue during a backup, slowest response', unit: 'ms', goal: atMost(100) },
    p99: { label: 'Issue during a backup, worst 99th percentile', unit: 'ms' },
    ratio: { label: 'Issue during a backup ÷ without it', unit: 'ratio' },
    rate: { label: 'Backup, written in a second', unit: 'MB' },
  },
  short: { receipts: 200_000, rounds: 3, seconds: 5 },
  full: { receipts: 1_000_000, rounds: 3, seconds: 15 },
  async run({ receipts, rounds, seconds }, bench) {
    const data = bench.newDirectory();
    await (await startServer(data)).stop();
    await seed(join(data, 'trust.db'), receipts);
    const server = await startServer(data);
    const url = `${server.url}/api/v1/receipts`;
    await issueAt(url, 3, 'mixed');
    const rounded = [];
    for (let round = 1; round <= rounds; round++) {
      const alone = await issueAt(url, seconds, 'mixed');
      const [loaded, written] = await Promise.all([
        issueAt(url, seconds, 'mixed'),
        backUp(data, join(data, `backup-${round}`)),
      ]);
      rounded.push({ alone, loaded, written });
      const cells = [alone, loaded].map(({ rate, p99, max }) => `${rate.toFixed(0)} | ${p99} ms | ${max} ms`);
      print(
        `| ${round} | ${cells.join(' | ')} | ${written.megabytes.toFixed(0)} MB in ${written.seconds.toFixed(1)} s |`,
      );
    }
    await server.stop();
    return {
      slowest: Math.max(...rounded.map(({ loaded }) => loaded.max)),
      p99: Math.max(...rounded.map(({ loaded }) => loaded.p99)),
      ratio: median(rounded.map(({ alone, loaded }) => loaded.rate / alone.rate)),
      rate: median(rounded.map(({ written }) => written.megabytes / written.seconds)),
    };
  },
});

async function backUp(data: string, out: string): Promise<{ megabytes: number; seconds: number }> {
  await Bun.sleep(1000);
  const since = performance.now();
  const child = Bun.spawn([EXECUTABLE, 'backup', out, '--data', data], { stderr: 'pipe' });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
  const seconds = (performance.now() - since) / 1000;
  const megabytes = statSync(out).size / 1e6;
  rmSync(out);
  return { megabytes, seconds };
}
