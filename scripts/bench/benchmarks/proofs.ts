import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { PROOF_TYPE } from '../../../src/trust/log/schema.ts';
import { publicManifest } from '../../../src/trust/receipts/get-public-manifest.ts';
import { inclusionProof } from '../../../src/trust/receipts/proof.ts';
import { openTrustService } from '../../../src/trust/service/service.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { seed } from '../seed.ts';
import { percentile, print, spread, timed } from '../statistics.ts';

/** The size of the small log for comparison with the large one. */
const FEW = 20;
const LOG = pino({ level: 'silent' });
const CIRCUMSTANCES = { version: 'bench', url: 'http://localhost' };

export const proofs = defineBenchmark({
  name: 'proofs',
  capability: 'Transparency log',
  about:
    'How long proofs and checkpoints take inside the server, in process, with many receipts: 99th percentiles of reads, and of rounds ' +
    'that publish a checkpoint, sync included. Also how long other work waited for the main thread meanwhile.',
  needs: [],
  metrics: {
    proof: { label: 'Inclusion proof, 99th percentile', unit: 'ms', goal: atMost(1) },
    manifest: { label: 'Manifest with its proof, 99th percentile', unit: 'ms' },
    checkpoint: { label: 'Checkpoint, 99th percentile', unit: 'ms' },
    thread: { label: 'Main thread taken while checkpoints are made, longest', unit: 'ms', goal: atMost(10) },
    proofOfFew: { label: `Inclusion proof with ${FEW} receipts, 99th percentile`, unit: 'ms' },
  },
  short: { receipts: 200_000, reads: 3000, checkpoints: 50 },
  full: { receipts: 1_000_000, reads: 3000, checkpoints: 50 },
  async run({ receipts, reads, checkpoints }, bench) {
    const few = await measure(bench.newDirectory(), FEW, reads, checkpoints);
    const many = await measure(bench.newDirectory(), receipts, reads, checkpoints);
    return { ...many, proofOfFew: few.proof };
  },
});

async function measure(path: string, receipts: number, reads: number, rounds: number) {
  await opened(path, async () => undefined);
  await seed(join(path, 'trust.db'), receipts);
  const ids = finalizedIds(join(path, 'trust.db'), reads);
  return opened(path, async ({ trust }) => {
    const leaves = trust.log.publisher.latest('receipts').response.tree_size;
    const reading = async (read: (id: string) => Promise<unknown>) =>
      timed(reads, (index) => read(ids[index % ids.length] ?? ''));
    const proofTimes = await reading((id) => inclusionProof(trust, id, {}, PROOF_TYPE));
    const manifestTimes = await reading((id) => publicManifest(trust, id, {}));
    // The longest time for which making checkpoints blocked the thread.
    let longest = 0;
    let last = performance.now();
    const ticking = setInterval(() => {
      longest = Math.max(longest, performance.now() - last - 1);
      last = performance.now();
    }, 1);
    const checkpointTimes = await timed(rounds, () => {
      trust.log.publisher.grown('receipts');
      return trust.log.publisher.publish();
    });
    clearInterval(ticking);
    const times = [proofTimes, manifestTimes, checkpointTimes];
    print(`| ${leaves} | ${times.map(spread).join(' | ')} | ${longest.toFixed(1)} ms |`);
    const [proof = 0, manifested = 0, checkpoint = 0] = times.map((one) => percentile(one, 0.99));
    return { proof, manifest: manifested, checkpoint, thread: longest };
  });
}

async function opened<T>(
  path: string,
  task: (service: Awaited<ReturnType<typeof openTrustService>>) => Promise<T>,
): Promise<T> {
  const directory = takeDataDirectory(path);
  const service = await openTrustService(directory, new Map(), LOG, CIRCUMSTANCES);
  const result = await task(service);
  await service.close();
  directory.release();
  return result;
}

function finalizedIds(file: string, count: number): string[] {
  const database = new Database(file, { readonly: true });
  const rows = database
    .query<{ id: string }, [number]>(
      "SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt WHERE status <> 'pending' ORDER BY random() LIMIT ?",
    )
    .all(count);
  database.close();
  return rows.map(({ id }) => id);
}
