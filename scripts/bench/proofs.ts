import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { inclusionProof, manifest } from '../../src/trust/receipts/read.ts';
import { openTrustService } from '../../src/trust/service.ts';
import { ROOT } from '../sources.ts';
import { seed } from './seed.ts';
import { print } from './server-process.ts';

/**
 * What proofs and checkpoints take inside the server, in process, with few leaves and with many: reading a proof, a manifest with
 * its proof, and a round that publishes a checkpoint. Prints table rows. `bun scripts/bench/proofs.ts [receipts]`
 */
const MANY = Number(process.argv[2] ?? 1_000_000);
const READS = 3000;
const ROUNDS = 50;
const LOG = pino({ level: 'silent' });
const CIRCUMSTANCES = { version: 'bench', url: 'http://localhost' };

for (const receipts of [20, MANY]) await measure(receipts);

async function measure(receipts: number): Promise<void> {
  const path = mkdtempSync(join(ROOT, 'dist', 'bench-'));
  try {
    await opened(path, async () => undefined);
    seed(join(path, 'trust.db'), receipts);
    const ids = finalizedIds(join(path, 'trust.db'));
    await opened(path, async ({ trust }) => {
      const leaves = trust.publisher.latest('receipts').answer.tree_size;
      const reading = async (read: (id: string) => Promise<unknown>) =>
        timed(READS, (index) => read(ids[index % ids.length] ?? ''));
      const proofs = await reading((id) => inclusionProof(trust, id));
      const manifests = await reading((id) => manifest(trust, id));
      // How long anything else had to wait for the thread while checkpoints were made.
      let longest = 0;
      let last = performance.now();
      const ticking = setInterval(() => {
        longest = Math.max(longest, performance.now() - last - 1);
        last = performance.now();
      }, 1);
      const checkpoints = await timed(ROUNDS, () => {
        trust.publisher.grown('receipts');
        return trust.publisher.publish();
      });
      clearInterval(ticking);
      print(`| ${leaves} | ${proofs} | ${manifests} | ${checkpoints} | ${longest.toFixed(1)} ms |`);
    });
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

async function opened(
  path: string,
  task: (service: Awaited<ReturnType<typeof openTrustService>>) => Promise<void>,
): Promise<void> {
  const directory = takeDataDirectory(path);
  const service = await openTrustService(directory, new Map(), LOG, CIRCUMSTANCES);
  await task(service);
  await service.close();
  directory.release();
}

function finalizedIds(file: string): string[] {
  const database = new Database(file, { readonly: true });
  const rows = database
    .query<{ id: string }, [number]>(
      "SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt WHERE status <> 'pending' ORDER BY random() LIMIT ?",
    )
    .all(READS);
  database.close();
  return rows.map(({ id }) => id);
}

/** Median and 99th percentile of so many runs, in milliseconds, after some to warm up. */
async function timed(runs: number, run: (index: number) => Promise<unknown>): Promise<string> {
  for (let index = 0; index < runs / 10; index++) await run(index);
  const times: number[] = [];
  for (let index = 0; index < runs; index++) {
    const since = performance.now();
    await run(index);
    times.push(performance.now() - since);
  }
  times.sort((left, right) => left - right);
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(2);
  return `${at(0.5)} / ${at(0.99)} ms`;
}
