import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { newestReceipt, pendingSince, rows } from '../receipt-rows.ts';
import { seed } from '../seed.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt, runWrk } from '../wrk.ts';

/** The duration and the number of measurements of each side of a ratio. */
interface Runs {
  rounds: number;
  seconds: number;
}

export const log = defineBenchmark({
  name: 'log',
  capability: 'Transparency log',
  about:
    'What the log costs on a server with many receipts: the newest checkpoint against the no-op GET, and finalizing with its leaf ' +
    'against issuing, 64 connections, in turns. Bytes of a leaf: its row and its tiles, without the receipt.',
  needs: ['wrk', 'trust server'],
  metrics: {
    leaf: { label: 'Bytes of a leaf', unit: 'bytes', goal: atMost(120) },
    latest: { label: 'Newest checkpoint ÷ no-op GET', unit: 'ratio', goal: atLeast(0.8) },
    finalize: { label: 'Finalize ÷ issue', unit: 'ratio', goal: atLeast(0.7) },
    finalizeP99: { label: 'Finalize, worst 99th percentile', unit: 'ms' },
  },
  short: { receipts: 200_000, rounds: 3, seconds: 3 },
  full: { receipts: 1_000_000, rounds: 3, seconds: 5 },
  async run({ receipts, rounds, seconds }, bench) {
    const data = bench.newDirectory();
    const file = join(data, 'trust.db');
    await (await startServer(data)).stop();
    await seed(file, receipts);
    const leaf = bytesOfALeaf(file);
    const server = await startServer(data, 'off');
    const metrics = {
      leaf,
      latest: await reading(server.url, { rounds, seconds }),
      ...(await finalizing(server.url, data, { rounds, seconds })),
    };
    await server.stop();
    return metrics;
  },
});

function bytesOfALeaf(file: string): number {
  const { leaves = 0 } =
    rows<{ leaves: number }>(file, 'SELECT count(*) AS leaves FROM receipt_leaf')[0] ?? {};
  const { bytes = 0 } =
    rows<{ bytes: number }>(
      file,
      "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name GLOB '*receipt_leaf*' OR name GLOB '*log_tile*'",
    )[0] ?? {};
  print(`${leaves} leaves, ${(bytes / leaves).toFixed(1)} bytes a leaf`);
  return bytes / leaves;
}

/** @returns the newest checkpoint ÷ the no-op GET */
async function reading(url: string, { rounds, seconds }: Runs): Promise<number> {
  const get = (path: string) => runWrk({ url: `${url}${path}`, connections: 64, seconds });
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const noop = await get('/noop');
    const latest = await get('/api/v1/receipts/checkpoints/latest');
    ratios.push(latest.rate / noop.rate);
    print(
      `| latest | ${round} | ${noop.rate.toFixed(0)} | ${latest.rate.toFixed(0)} | ${(latest.rate / noop.rate).toFixed(3)} | ${latest.p99} ms |`,
    );
  }
  return median(ratios);
}

async function finalizing(url: string, data: string, { rounds, seconds }: Runs) {
  const file = join(data, 'trust.db');
  const ratios: number[] = [];
  const p99s: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const since = newestReceipt(file);
    const issued = await issueAt(`${url}/api/v1/receipts`, seconds);
    // Issues twice as many, so that no receipt is finalized twice even if finalizing is faster.
    await issueAt(`${url}/api/v1/receipts`, seconds);
    const ids = join(data, 'ids');
    writeFileSync(ids, pendingSince(file, since).join('\n'));
    const env = { API_KEY, IDS: ids };
    const finalized = await runWrk({ url, connections: 64, seconds, script: 'finalize.lua', env });
    ratios.push(finalized.rate / issued.rate);
    p99s.push(finalized.p99);
    print(
      `| finalize | ${round} | ${issued.rate.toFixed(0)} | ${finalized.rate.toFixed(0)} | ${(finalized.rate / issued.rate).toFixed(3)} | ${finalized.p99} ms |`,
    );
  }
  return { finalize: median(ratios), finalizeP99: Math.max(...p99s) };
}
