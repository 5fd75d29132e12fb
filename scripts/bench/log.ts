import { Database } from 'bun:sqlite';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, concurrently } from '../../test/support/client.ts';
import { defineBenchmark } from './harness/benchmark.ts';
import { atLeast, atMost } from './harness/metric.ts';
import { seed } from './seed.ts';
import { API_KEY, startServer } from './server-process.ts';
import { median, percentile, print } from './statistics.ts';
import { issueAt, runWrk } from './wrk.ts';

const STEADY_RATE = 2000;

/** The duration and the number of measurements of each side of a ratio. */
interface Turns {
  rounds: number;
  seconds: number;
}

export const log = defineBenchmark({
  name: 'log',
  capability: 'Transparency log',
  about:
    'What the log costs on a server with many receipts: the newest checkpoint against the no-op GET, and finalizing with its leaf ' +
    'against issuing, 64 connections, in turns. Merge delay: from a finalization to the checkpoint that contains it, at a steady 2,000 ' +
    'finalizations a second. Bytes of a leaf: its row and its tiles, without the receipt.',
  needs: ['wrk', 'trust server'],
  metrics: {
    leaf: { label: 'Bytes of a leaf', unit: 'bytes', goal: atMost(120) },
    latest: { label: 'Newest checkpoint ÷ no-op GET', unit: 'ratio', goal: atLeast(0.8) },
    finalize: { label: 'Finalize ÷ issue', unit: 'ratio', goal: atLeast(0.7) },
    finalizeP99: { label: 'Finalize, worst 99th percentile', unit: 'ms' },
    delay: { label: 'Merge delay, median', unit: 'ms' },
    delayP99: { label: 'Merge delay, 99th percentile', unit: 'ms' },
    delayLongest: { label: 'Merge delay, longest', unit: 'ms', goal: atMost(1000) },
  },
  short: { receipts: 200_000, rounds: 3, seconds: 3, 'seconds of steady load': 10 },
  full: { receipts: 1_000_000, rounds: 3, seconds: 5, 'seconds of steady load': 60 },
  async run({ receipts, rounds, seconds, 'seconds of steady load': steadySeconds }, bench) {
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
      ...(await steadily(server.url, file, steadySeconds)),
    };
    await server.stop();
    return metrics;
  },
});

function bytesOfALeaf(file: string): number {
  const { leaves = 0 } =
    read<{ leaves: number }>(file, 'SELECT count(*) AS leaves FROM receipt_leaf')[0] ?? {};
  const { bytes = 0 } =
    read<{ bytes: number }>(
      file,
      "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name GLOB '*receipt_leaf*' OR name GLOB '*log_tile*'",
    )[0] ?? {};
  print(`${leaves} leaves, ${(bytes / leaves).toFixed(1)} bytes a leaf`);
  return bytes / leaves;
}

/** @returns the newest checkpoint ÷ the no-op GET */
async function reading(url: string, { rounds, seconds }: Turns): Promise<number> {
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

async function finalizing(url: string, data: string, { rounds, seconds }: Turns) {
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

function newestReceipt(file: string): number {
  return read<{ seq: number }>(file, 'SELECT max(receipt_seq) AS seq FROM receipt')[0]?.seq ?? 0;
}

function pendingSince(file: string, seq: number): string[] {
  const rows = read<{ id: string }>(
    file,
    `SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt WHERE receipt_seq > ${seq} AND status = 'pending'`,
  );
  return rows.map(({ id }) => id);
}

function read<Row>(file: string, sql: string): Row[] {
  const database = new Database(file, { readonly: true });
  const rows = database.query<Row, []>(sql).all();
  database.close();
  return rows;
}

/** Finalizes at a steady rate, and measures the time from each finalization until a published checkpoint covers it. */
async function steadily(url: string, file: string, steadySeconds: number) {
  const api = client(fetch, url, API_KEY);
  const first = newestReceipt(file);
  await issueAt(`${url}/api/v1/receipts`, Math.ceil((STEADY_RATE * steadySeconds) / 5000));
  const ids = pendingSince(file, first).slice(0, STEADY_RATE * steadySeconds);
  const before = read<{ leaf: number }>(file, 'SELECT max(leaf_seq) AS leaf FROM receipt_leaf')[0]?.leaf ?? 0;
  const start = performance.now();
  const outcome = { status: 'success', output_hash: '9f'.repeat(32) };
  await concurrently([...ids.entries()], 64, async ([index, id]) => {
    const due = start + (index / STEADY_RATE) * 1000;
    const early = due - performance.now();
    if (early > 0) await Bun.sleep(early);
    const { status } = await api.finalize(id, outcome);
    if (status !== 200) throw new Error(`finalize answered ${status}`);
  });
  const seconds = (performance.now() - start) / 1000;
  await Bun.sleep(1500);
  const delays = read<{ delay: number }>(
    file,
    `SELECT (unixepoch(c.issued_at, 'subsec') - unixepoch(v.signed_at, 'subsec')) * 1000 AS delay
     FROM receipt_leaf l JOIN receipt_version v USING (receipt_seq, version) JOIN log g ON g.name = 'receipts'
     JOIN checkpoint c ON c.checkpoint_seq = (SELECT checkpoint_seq FROM checkpoint WHERE log_seq = g.log_seq
       AND tree_size >= l.leaf_seq ORDER BY tree_size, checkpoint_seq LIMIT 1)
     WHERE l.leaf_seq > ${before} ORDER BY 1`,
  ).map(({ delay }) => delay);
  print(`${ids.length} finalized in ${seconds.toFixed(1)} s (${(ids.length / seconds).toFixed(0)}/s)`);
  return {
    delay: median(delays),
    delayP99: percentile(delays, 0.99),
    delayLongest: percentile(delays, 1),
  };
}
