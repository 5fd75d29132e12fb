import { join } from 'node:path';
import { client, concurrently } from '../../../test/support/client.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { newestReceipt, pendingSince, rows } from '../receipt-rows.ts';
import { API_KEY, processorTime, startServer } from '../server-process.ts';
import { median, percentile, print } from '../statistics.ts';
import { issueAt } from '../wrk.ts';

const FINALIZED_A_SECOND = 2000;
/** One of so many finalizations is asked for its proof. */
const SAMPLED = 100;
const POLL_MS = 5;
/** A rate of issuing that a server exceeds. */
const LEAST_ISSUED_A_SECOND = 4000;

export const publication = defineBenchmark({
  name: 'publication',
  capability: 'Transparency log',
  about:
    'From the response to a finalization until GET …/proof returns its proof, at a steady 2,000 finalizations a second: one of 100 receipts ' +
    `is asked for every ${POLL_MS} ms. Idle: the processor time (all threads) of a server without requests, less that of one that does not ` +
    'publish.',
  needs: ['wrk', 'trust server'],
  metrics: {
    proof: { label: 'Receipt to published proof, median', unit: 'ms' },
    proofP99: { label: 'Receipt to published proof, 99th percentile', unit: 'ms', goal: atMost(300) },
    proofLongest: { label: 'Receipt to published proof, longest', unit: 'ms' },
    rounds: { label: 'Checkpoints of receipts per 100 seconds of load', unit: 'count' },
    idle: { label: 'Processor time of publication per idle second', unit: 'ms', goal: atMost(5) },
  },
  short: { seconds: 10, 'idle seconds': 10 },
  full: { seconds: 60, 'idle seconds': 60 },
  async run({ seconds, 'idle seconds': idleSeconds }, bench) {
    const data = bench.newDirectory();
    const idle = await idleTimes(data, idleSeconds);
    const server = await startServer(data, 'off');
    const file = join(data, 'trust.db');
    const first = newestReceipt(file);
    await issueAt(
      `${server.url}/api/v1/receipts`,
      Math.ceil((FINALIZED_A_SECOND * seconds) / LEAST_ISSUED_A_SECOND),
    );
    const ids = pendingSince(file, first).slice(0, FINALIZED_A_SECOND * seconds);
    const before = checkpoints(file);
    const delays = await proofDelays(server.url, ids);
    const made = checkpoints(file) - before;
    await server.stop();
    return {
      proof: median(delays),
      proofP99: percentile(delays, 0.99),
      proofLongest: percentile(delays, 1),
      rounds: (made / seconds) * 100,
      idle,
    };
  },
});

/**
 * Returns the processor time that publication takes of a server without requests, in milliseconds per second.
 */
async function idleTimes(data: string, seconds: number): Promise<number> {
  const times: number[] = [];
  for (const publication of ['on', 'off'] as const) {
    const server = await startServer(data, 'off', publication);
    times.push(await idleTime(server.pid, seconds));
    await server.stop();
  }
  const [withIt = 0, without = 0] = times;
  print(
    `idle: ${withIt.toFixed(2)} ms of processor time a second, ${without.toFixed(2)} without publication`,
  );
  return Math.max(0, withIt - without);
}

/** Returns the processor time of a process in milliseconds per second. */
async function idleTime(pid: number, seconds: number): Promise<number> {
  // The start has work to finish.
  await Bun.sleep(2000);
  const before = processorTime(pid);
  await Bun.sleep(seconds * 1000);
  return (processorTime(pid) - before) / seconds;
}

function checkpoints(file: string): number {
  const [row] = rows<{ count: number }>(
    file,
    "SELECT count(*) AS count FROM checkpoint JOIN log USING (log_seq) WHERE name = 'receipts'",
  );
  return row?.count ?? 0;
}

/** Finalizes receipts at the steady rate. @returns the milliseconds until the proofs of some were there */
async function proofDelays(url: string, ids: readonly string[]): Promise<number[]> {
  const api = client(fetch, url, API_KEY);
  const outcome = { status: 'success', output_hash: '9f'.repeat(32) };
  const delays: Promise<number>[] = [];
  const start = performance.now();
  await concurrently([...ids.entries()], 64, async ([index, id]) => {
    const early = start + (index / FINALIZED_A_SECOND) * 1000 - performance.now();
    if (early > 0) await Bun.sleep(early);
    const { status } = await api.finalize(id, outcome);
    if (status !== 200) throw new Error(`finalize returned ${status}`);
    if (index % SAMPLED === 0) delays.push(proofDelay(`${url}/api/v1/receipts/${id}/proof`));
  });
  const seconds = (performance.now() - start) / 1000;
  print(`${ids.length} finalized in ${seconds.toFixed(1)} s (${(ids.length / seconds).toFixed(0)}/s)`);
  return Promise.all(delays);
}

/** Requests a proof until it is there. @returns the milliseconds that took */
async function proofDelay(url: string): Promise<number> {
  const since = performance.now();
  for (;;) {
    const response = await fetch(url);
    await response.arrayBuffer();
    if (response.status === 200) return performance.now() - since;
    if (response.status !== 404) throw new Error(`the proof returned ${response.status}`);
    await Bun.sleep(POLL_MS);
  }
}
