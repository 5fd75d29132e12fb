import { rmSync } from 'node:fs';
import { EXECUTABLE } from '../../build.ts';
import { bareRateOfAllCores } from '../bare-ed25519.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { startProduct } from '../product.ts';
import { rows } from '../receipt-rows.ts';
import { median, print } from '../statistics.ts';
import { runWrk } from '../wrk.ts';

export const monitor = defineBenchmark({
  name: 'monitor',
  capability: 'Verification and audit',
  about:
    'The first round of `countersign monitor` on a log of receipts that were finalized under load, with a service on the same machine, against ' +
    'bare Ed25519 verification on the same cores (node:crypto with an imported key, a Worker a core), in turns. For each entry the monitor ' +
    'verifies a signature, hashes the leaf into the tree, and stores it.',
  needs: ['wrk', 'product'],
  metrics: {
    ratio: { label: 'Entries checked ÷ bare signatures verified', unit: 'ratio', goal: atLeast(0.18) },
    rate: { label: 'Entries checked a second', unit: 'count' },
  },
  short: { rounds: 3, seconds: 3, load: 10 },
  full: { rounds: 5, seconds: 5, load: 30 },
  async run({ rounds, seconds, load }, bench) {
    const product = await startProduct(EXECUTABLE, bench.newDirectory(), {
      service: 'trust',
      rateLimits: 'off',
    });
    const { url, apiKey, data } = product;
    const env = { API_KEY: apiKey };
    await runWrk({
      url: `${url}/api/v1/receipts`,
      connections: 64,
      seconds: load,
      script: 'issue.lua',
      env,
    });
    const file = `${data}/trust.db`;
    const ids = `${data}/ids`;
    const issued = rows<{ id: string }>(file, "SELECT 'rcpt_' || lower(hex(receipt_id)) AS id FROM receipt");
    await Bun.write(ids, issued.map(({ id }) => id).join('\n'));
    const connections = 64;
    await runWrk({
      url,
      connections,
      seconds: load,
      script: 'finalize.lua',
      env: { ...env, IDS: ids },
      anyStatus: true,
    });
    // The last checkpoint is published with the next tick.
    await Bun.sleep(2000);
    const [{ size } = { size: 0 }] = rows<{ size: number }>(
      file,
      'SELECT count(*) AS size FROM receipt_leaf',
    );
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const bare = await bareRateOfAllCores(seconds);
      const rate = size / (await monitorSeconds(url, bench.newDirectory()));
      ratios.push(rate / bare);
      rates.push(rate);
      print(`| ${round} | ${bare.toFixed(0)} | ${rate.toFixed(0)} | ${(rate / bare).toFixed(3)} |`);
    }
    await product.stop();
    return { ratio: median(ratios), rate: median(rates) };
  },
});

/** Measures the seconds from the start of a monitor without a state to the end of its first round. */
async function monitorSeconds(url: string, state: string): Promise<number> {
  const since = performance.now();
  const command = [EXECUTABLE, 'monitor', url, '--state', state, '--once', '--max-download', '4096'];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`the monitor found a problem: ${output}`);
  const seconds = (performance.now() - since) / 1000;
  rmSync(state, { recursive: true });
  return seconds;
}
