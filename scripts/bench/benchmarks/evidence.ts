import { generateKeyPairSync } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeBodies } from '../bodies.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { perRequest } from '../processor-time.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt, runWrk } from '../wrk.ts';

/** More requests than can be sent in a second. */
const BODIES_A_SECOND = 12_000;

export const evidence = defineBenchmark({
  name: 'evidence',
  capability: 'Agents',
  about:
    'Durable anchoring of evidence against durable issuing on the same server, 64 connections, in turns. Each payload has 1 KB and its ' +
    'own signature. A 201 means verified, hashed, chained, counted and durable.',
  needs: ['wrk', 'trust server'],
  metrics: {
    ratio: { label: 'Evidence ÷ issue', unit: 'ratio', goal: atLeast(0.5) },
    process: { label: 'Evidence, processor time of the process', unit: 'µs', goal: atMost(115) },
    rate: { label: 'Evidence anchored', unit: 'requests/s' },
    p99: { label: 'Evidence, worst 99th percentile', unit: 'ms' },
    slowest: { label: 'Evidence, slowest response', unit: 'ms' },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { rounds: 3, seconds: 3 },
  full: { rounds: 5, seconds: 5 },
  async run({ rounds, seconds }, bench) {
    const data = bench.newDirectory();
    const server = await startServer(data);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    const enrolled = await fetch(`${server.url}/enrolled`, {
      method: 'POST',
      body: Buffer.from(x, 'base64url').toString('hex'),
    });
    const url = `${server.url}/api/v1/passport/agents/${await enrolled.text()}/evidence`;
    await issueAt(`${server.url}/api/v1/receipts`, 2);
    const ratios: number[] = [];
    const loads = [];
    for (let round = 1; round <= rounds; round++) {
      const issued = await issueAt(`${server.url}/api/v1/receipts`, seconds);
      const file = join(data, `bodies-${round}`);
      await writeBodies(file, privateKey, seconds * BODIES_A_SECOND);
      const env = { API_KEY, BODIES: file };
      const load = { url, connections: 64, seconds, script: 'evidence.lua', env };
      const anchored = await perRequest(server, () => runWrk(load));
      rmSync(file);
      ratios.push(anchored.rate / issued.rate);
      loads.push(anchored);
      print(
        `| ${round} | ${issued.rate.toFixed(0)} | ${anchored.rate.toFixed(0)} | ${(anchored.rate / issued.rate).toFixed(3)} | ${anchored.p99} ms | ${anchored.max} ms |`,
      );
    }
    const memory = server.memory().now;
    await server.stop();
    return {
      ratio: median(ratios),
      process: median(loads.map(({ processMicros }) => processMicros)),
      rate: median(loads.map(({ rate }) => rate)),
      p99: Math.max(...loads.map(({ p99 }) => p99)),
      slowest: Math.max(...loads.map(({ max }) => max)),
      memory,
    };
  },
});
