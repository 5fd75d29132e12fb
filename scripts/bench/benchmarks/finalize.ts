import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { perRequest } from '../processor-time.ts';
import { newestReceipt, pendingSince } from '../receipt-rows.ts';
import { seed } from '../seed.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt, runWrk } from '../wrk.ts';

export const finalize = defineBenchmark({
  name: 'finalize',
  capability: 'Receipts',
  about:
    'Durable finalizing against durable issuing on a server with many receipts, 64 connections, in turns. Finalizing means: the signed version ' +
    'and the leaf of the log stored, its place in the tree, and the checkpoints published meanwhile.',
  needs: ['wrk', 'trust server'],
  metrics: {
    ratio: { label: 'Finalize ÷ issue', unit: 'ratio', goal: atLeast(0.7) },
    main: { label: 'Finalize, processor time of the main thread', unit: 'µs', goal: atMost(62) },
    p99: { label: 'Finalize, worst 99th percentile', unit: 'ms', goal: atMost(40) },
  },
  short: { receipts: 200_000, rounds: 3, seconds: 3 },
  full: { receipts: 1_000_000, rounds: 3, seconds: 5 },
  async run({ receipts, rounds, seconds }, bench) {
    const data = bench.newDirectory();
    const file = join(data, 'trust.db');
    await (await startServer(data)).stop();
    await seed(file, receipts);
    const server = await startServer(data, 'off');
    const ratios: number[] = [];
    const times: number[] = [];
    const p99s: number[] = [];
    for (let round = 1; round <= rounds; round++) {
      const since = newestReceipt(file);
      const issued = await issueAt(`${server.url}/api/v1/receipts`, seconds);
      // Issues twice as many, so that no receipt is finalized twice even if finalizing is faster.
      await issueAt(`${server.url}/api/v1/receipts`, seconds);
      const ids = join(data, 'ids');
      writeFileSync(ids, pendingSince(file, since).join('\n'));
      const env = { API_KEY, IDS: ids };
      const load = { url: server.url, connections: 64, seconds, script: 'finalize.lua', env };
      const finalized = await perRequest(server, () => runWrk(load));
      times.push(finalized.mainMicros);
      ratios.push(finalized.rate / issued.rate);
      p99s.push(finalized.p99);
      print(
        `| ${round} | ${issued.rate.toFixed(0)} | ${finalized.rate.toFixed(0)} | ${(finalized.rate / issued.rate).toFixed(3)} | ${finalized.p99} ms |`,
      );
    }
    await server.stop();
    return { ratio: median(ratios), main: median(times), p99: Math.max(...p99s) };
  },
});
