import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, concurrently } from '../../test/support/client.ts';
import { ROOT } from '../sources.ts';
import { seed } from './seed.ts';
import { API_KEY, compileServer, loadOf, median, print, startServer, wrk } from './server-process.ts';

/**
 * What the transparency log costs, with so many leaves: finalizing against issuing, the newest checkpoint against the no-op GET,
 * merge delay under a steady load, and bytes a leaf. Prints table rows. Needs wrk. `bun scripts/bench/log.ts [receipts] [rounds] [seconds of steady load]`
 */
const RECEIPTS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const STEADY_SECONDS = Number(process.argv[4] ?? 60);
const STEADY_RATE = 2000;
const SECONDS = 5;

compileServer();
const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
const file = join(data, 'trust.db');
try {
  await (await startServer(data)).stop();
  seed(file, RECEIPTS);
  bytesALeaf();
  const server = await startServer(data, 'off');
  try {
    reading(server.url);
    finalizing(server.url);
    await steadily(server.url);
  } finally {
    await server.stop();
  }
} finally {
  rmSync(data, { recursive: true, force: true });
}

function bytesALeaf(): void {
  const database = new Database(file, { readonly: true });
  const { leaves = 0 } =
    database.query<{ leaves: number }, []>('SELECT count(*) AS leaves FROM receipt_leaf').get() ?? {};
  const { bytes = 0 } =
    database
      .query<{ bytes: number }, []>(
        "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name GLOB '*receipt_leaf*' OR name GLOB '*log_tile*'",
      )
      .get() ?? {};
  database.close();
  print(`${leaves} leaves, ${(bytes / leaves).toFixed(1)} bytes a leaf`);
}

function reading(url: string): void {
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const noop = get(`${url}/noop`);
    const latest = get(`${url}/api/v1/receipts/checkpoints/latest`);
    ratios.push(latest.rate / noop.rate);
    print(
      `| latest | ${round} | ${noop.rate.toFixed(0)} | ${latest.rate.toFixed(0)} | ${(latest.rate / noop.rate).toFixed(3)} | ${latest.p99} |`,
    );
  }
  print(`latest ÷ no-op GET: median ${median(ratios).toFixed(3)}`);
}

function get(url: string) {
  return loadOf(Bun.spawnSync(['wrk', '-t1', '-c64', `-d${SECONDS}`, '--latency', url]).stdout.toString());
}

function finalizing(url: string): void {
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const since = newestReceipt();
    const issue = wrk(`${url}/api/v1/receipts`, SECONDS);
    // As many again, so that none is asked for twice however fast finalizing is.
    wrk(`${url}/api/v1/receipts`, SECONDS);
    const ids = join(data, 'ids');
    writeFileSync(ids, pendingSince(since).join('\n'));
    const script = join(ROOT, 'scripts', 'bench', 'finalize.lua');
    const child = Bun.spawnSync(['wrk', '-t1', '-c64', `-d${SECONDS}`, '--latency', '-s', script, url], {
      env: { ...process.env, API_KEY, IDS: ids },
    });
    const finalize = loadOf(child.stdout.toString());
    ratios.push(finalize.rate / issue.rate);
    print(
      `| finalize | ${round} | ${issue.rate.toFixed(0)} | ${finalize.rate.toFixed(0)} | ${(finalize.rate / issue.rate).toFixed(3)} | ${finalize.p99} |`,
    );
  }
  print(`finalize ÷ issue: median ${median(ratios).toFixed(3)}`);
}

function newestReceipt(): number {
  return read<{ seq: number }>('SELECT max(receipt_seq) AS seq FROM receipt')[0]?.seq ?? 0;
}

function pendingSince(seq: number): string[] {
  const rows = read<{ id: string }>(
    `SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt WHERE receipt_seq > ${seq} AND status = 'pending'`,
  );
  return rows.map(({ id }) => id);
}

function read<Row>(sql: string): Row[] {
  const database = new Database(file, { readonly: true });
  const rows = database.query<Row, []>(sql).all();
  database.close();
  return rows;
}

/** Finalizes at a steady rate, and tells how long after its finalization each receipt stood in a published checkpoint. */
async function steadily(url: string): Promise<void> {
  const api = client(fetch, url, API_KEY);
  const first = newestReceipt();
  wrk(`${url}/api/v1/receipts`, Math.ceil((STEADY_RATE * STEADY_SECONDS) / 5000));
  const ids = pendingSince(first).slice(0, STEADY_RATE * STEADY_SECONDS);
  const before = read<{ leaf: number }>('SELECT max(leaf_seq) AS leaf FROM receipt_leaf')[0]?.leaf ?? 0;
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
    `SELECT (unixepoch(c.issued_at, 'subsec') - unixepoch(v.signed_at, 'subsec')) * 1000 AS delay
     FROM receipt_leaf l JOIN receipt_version v USING (receipt_seq, version) JOIN log g ON g.name = 'receipts'
     JOIN checkpoint c ON c.checkpoint_seq = (SELECT checkpoint_seq FROM checkpoint WHERE log_seq = g.log_seq
       AND tree_size >= l.leaf_seq ORDER BY tree_size, checkpoint_seq LIMIT 1)
     WHERE l.leaf_seq > ${before} ORDER BY 1`,
  ).map(({ delay }) => delay);
  const at = (share: number): string =>
    (delays[Math.floor((delays.length - 1) * share)] ?? Number.NaN).toFixed(0);
  print(
    `${ids.length} finalized in ${seconds.toFixed(1)} s (${(ids.length / seconds).toFixed(0)}/s): merge delay median ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
  );
}
