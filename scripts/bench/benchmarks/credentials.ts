import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativePrimitives } from '../../../src/platform/crypto/crypto.ts';
import { judgeCredential } from '../../../src/proof/credential/verdict.ts';
import { parseJson } from '../../../src/proof/encoding/json.ts';
import { newAgentKey } from '../../../test/support/agent.ts';
import { client, concurrently } from '../../../test/support/client.ts';
import { evidencePath, PAYLOADS, signedEvidence } from '../../../test/support/evidence.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atLeast } from '../harness/metric.ts';
import { processorTime } from '../processor-time.ts';
import { API_KEY, type BenchServer, startServer } from '../server-process.ts';
import { type SignedCredentials, signedCredentials } from '../signed-credentials.ts';
import { median, print } from '../statistics.ts';
import { type Load, runWrk } from '../wrk.ts';

/** More credentials than are issued in a second. */
const ISSUED_A_SECOND = 9000;
/** The requests of seeding that are sent at the same time. */
const AT_ONCE = 64;

export const credentials = defineBenchmark({
  name: 'credentials',
  capability: 'Credentials',
  about:
    'Reputation credentials over HTTP, 64 connections, in turns: of agents whose credential is cached, another one each time, against the ' +
    'no-op GET of the same server; and of agents that have none yet, each once, with its row durable, per second of processor time of the ' +
    'server. Then verification in process, from the text to the verdict, another credential each time, against bare Ed25519 verification ' +
    '(node:crypto with an imported key).',
  needs: ['wrk', 'trust server'],
  metrics: {
    cached: { label: 'Cached credential ÷ no-op GET', unit: 'ratio', goal: atLeast(0.7) },
    cachedRate: { label: 'Cached credentials', unit: 'requests/s' },
    perCore: { label: 'New credentials per second of processor time', unit: 'count', goal: atLeast(3000) },
    issuedRate: { label: 'New credentials', unit: 'requests/s' },
    p99: { label: 'New credential, worst 99th percentile', unit: 'ms' },
    verified: { label: 'Credentials verified ÷ bare signatures verified', unit: 'ratio', goal: atLeast(0.5) },
    verifiedRate: { label: 'Credentials verified a second', unit: 'count' },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { 'cached agents': 2000, rounds: 3, seconds: 2 },
  full: { 'cached agents': 2000, rounds: 5, seconds: 3 },
  async run({ 'cached agents': cachedAgents, rounds, seconds }, bench) {
    const data = bench.newDirectory();
    const server = await startServer(data, 'off');
    const commitments = await enrolled(server, cachedAgents + rounds * seconds * ISSUED_A_SECOND);
    const files = { cached: join(data, 'cached'), fresh: join(data, 'fresh') };
    writeFileSync(files.cached, commitments.slice(0, cachedAgents).join('\n'));
    writeFileSync(files.fresh, commitments.slice(cachedAgents).join('\n'));
    await concurrently(commitments.slice(0, cachedAgents), AT_ONCE, (commitment) =>
      issued(server, commitment),
    );
    const get = (env: Record<string, string>, time = seconds): Promise<Load> =>
      runWrk({
        url: server.url,
        connections: 64,
        seconds: time,
        script: 'credentials.lua',
        env: { FROM: '0', ...env },
      });
    await get({ AGENTS: files.cached, NOOP: '1' }, 1);
    await get({ AGENTS: files.cached }, 1);
    const documents = signedCredentials(5000, Date.now());
    const results: RoundRates[] = [];
    for (let round = 0; round < rounds; round++) {
      const noop = await get({ AGENTS: files.cached, NOOP: '1' });
      const cached = await get({ AGENTS: files.cached });
      const before = processorTime(server.pid).all;
      const fresh = await get({
        AGENTS: files.fresh,
        ONCE: '1',
        FROM: String(round * seconds * ISSUED_A_SECOND),
      });
      const perCore = (fresh.rate * seconds) / (processorTime(server.pid).all - before);
      const bare = bareRate(seconds);
      const verified = verifiedRate(documents, seconds);
      results.push({
        cached: cached.rate / noop.rate,
        cachedRate: cached.rate,
        perCore,
        issuedRate: fresh.rate,
        p99: fresh.p99,
        verified: verified / bare,
        verifiedRate: verified,
      });
      print(
        `| ${round + 1} | no-op ${noop.rate.toFixed(0)} | cached ${(cached.rate / noop.rate).toFixed(3)} | new ${fresh.rate.toFixed(0)}, ` +
          `${perCore.toFixed(0)} a core, ${fresh.p99} ms | verified ${verified.toFixed(0)} of ${bare.toFixed(0)}, ${(verified / bare).toFixed(3)} |`,
      );
    }
    const memory = server.memory().now;
    await server.stop();
    const medianOf = (name: keyof RoundRates): number => median(results.map((result) => result[name]));
    return {
      cached: medianOf('cached'),
      cachedRate: medianOf('cachedRate'),
      perCore: medianOf('perCore'),
      issuedRate: medianOf('issuedRate'),
      p99: Math.max(...results.map(({ p99 }) => p99)),
      verified: medianOf('verified'),
      verifiedRate: medianOf('verifiedRate'),
      memory,
    };
  },
});

/** The values of a round, by the names of their metrics. */
interface RoundRates {
  cached: number;
  cachedRate: number;
  perCore: number;
  issuedRate: number;
  p99: number;
  verified: number;
  verifiedRate: number;
}

/** Enrolls agents and anchors an item of evidence for each. @returns their commitments */
async function enrolled({ url }: BenchServer, count: number): Promise<string[]> {
  const api = client(fetch, url, API_KEY);
  return concurrently(Array.from({ length: count }), AT_ONCE, async () => {
    const key = newAgentKey();
    const commitment = await (await fetch(`${url}/enrolled`, { method: 'POST', body: key.publicKey })).text();
    const { status } = await api.post(
      evidencePath(commitment),
      signedEvidence(key, 'otel_genai_trace', PAYLOADS.otel_genai_trace()),
    );
    if (status !== 201) throw new Error(`evidence: ${status}`);
    return commitment;
  });
}

async function issued({ url }: BenchServer, commitment: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/credentials/${commitment}`);
  await response.text();
  if (!response.ok) throw new Error(`a credential: ${response.status}`);
}

/** Measures how many distinct messages of 64 bytes, as those that a proof signs, are verified per second. */
function bareRate(seconds: number): number {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signed = Array.from({ length: 1000 }, () => {
    const message = crypto.getRandomValues(new Uint8Array(64));
    return { message, signature: sign(null, message, privateKey) };
  });
  return rateOf(signed, seconds, ({ message, signature }) => verify(null, message, publicKey, signature));
}

function verifiedRate({ texts, options }: SignedCredentials, seconds: number): number {
  return rateOf(
    texts,
    seconds,
    (text) => judgeCredential(nativePrimitives, parseJson(text), options).verdict === 'valid',
  );
}

/** Checks the items in turns. @returns checks per second @throws Error when one fails */
function rateOf<T>(items: readonly T[], seconds: number, check: (item: T) => boolean): number {
  const since = performance.now();
  let checks = 0;
  while (performance.now() - since < seconds * 1000) {
    for (const item of items) if (!check(item)) throw new Error('a signature is bad');
    checks += items.length;
  }
  return checks / ((performance.now() - since) / 1000);
}
