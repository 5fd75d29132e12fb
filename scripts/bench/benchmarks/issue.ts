import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { perRequest } from '../processor-time.ts';
import { startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt } from '../wrk.ts';

export const issue = defineBenchmark({
  name: 'issue',
  capability: 'Receipts',
  about:
    'Durable issuing against a validated no-op POST on the same server (same body, same schema, no key, no store), 64 connections, in ' +
    'turns. Issuing means: key, canonical JSON, hash, Ed25519 signature, receipt, signed version and hash index stored, synced to ' +
    'disk.',
  needs: ['wrk', 'trust server'],
  metrics: {
    ratio: { label: 'Issue ÷ no-op POST', unit: 'ratio', goal: atLeast(0.35) },
    main: { label: 'Issue, processor time of the main thread', unit: 'µs', goal: atMost(40) },
    process: { label: 'Issue, processor time of the process', unit: 'µs', goal: atMost(54) },
    noop: { label: 'No-op POST, processor time of the main thread', unit: 'µs', goal: atMost(12) },
    rate: { label: 'Receipts issued', unit: 'requests/s' },
    p99: { label: 'Issue, worst 99th percentile', unit: 'ms', goal: atMost(30) },
    slowest: { label: 'Issue, slowest response', unit: 'ms', goal: atMost(100) },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { rounds: 3, seconds: 3 },
  full: { rounds: 5, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const server = await startServer(bench.newDirectory());
    const [noopUrl, issueUrl] = [`${server.url}/noop`, `${server.url}/api/v1/receipts`];
    await issueAt(noopUrl, 2);
    const ratios: number[] = [];
    const noops = [];
    const loads = [];
    for (let round = 1; round <= rounds; round++) {
      const noop = await perRequest(server, () => issueAt(noopUrl, seconds));
      const issued = await perRequest(server, () => issueAt(issueUrl, seconds));
      ratios.push(issued.rate / noop.rate);
      noops.push(noop);
      loads.push(issued);
      print(
        `| ${round} | ${noop.rate.toFixed(0)} | ${issued.rate.toFixed(0)} | ${(issued.rate / noop.rate).toFixed(3)} | ${issued.p99} ms | ${issued.max} ms |`,
      );
    }
    const memory = server.memory().now;
    await server.stop();
    return {
      ratio: median(ratios),
      main: median(loads.map(({ mainMicros }) => mainMicros)),
      process: median(loads.map(({ processMicros }) => processMicros)),
      noop: median(noops.map(({ mainMicros }) => mainMicros)),
      rate: median(loads.map(({ rate }) => rate)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      slowest: Math.max(...loads.map(({ max }) => max)),
      memory,
    };
  },
});
