import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/proof/encoding/json.ts';
import { examplesOf } from '../../../test/support/try-it-out.ts';
import { type AttackedService, type FreeAgent, startAttacked } from '../attacked-service.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { print } from '../statistics.ts';
import { type Load, type LoadResult, runWrk } from '../wrk.ts';

const VICTIM = 2;
const ATTACKER = 100;

/** A request of an attacker. It may be refused: then the service says no a hundred times at once. */
interface Attack {
  name: string;
  method?: string;
  /** Returns the path for an agent of the attacker. */
  path(agent: FreeAgent): string;
  body?(agent: FreeAgent): JsonObject;
}

const evidencePath = ({ commitment }: FreeAgent): string => `/api/v1/passport/agents/${commitment}/evidence`;

/** The requests that cost most, and some that cost nearly nothing. */
const ATTACKS: readonly Attack[] = [
  { name: 'a page of evidence', path: (agent) => `${evidencePath(agent)}?limit=100` },
  {
    name: 'evidence with a bad signature',
    method: 'POST',
    path: evidencePath,
    body: () => ({
      source_type: 'github_commit_payload',
      payload: { sha: 'ab'.repeat(20), commit: { message: 'y'.repeat(400_000) } },
      signature: '0'.repeat(128),
    }),
  },
  {
    name: 'a compliance report of 13,000 controls',
    method: 'POST',
    path: evidencePath,
    body: () => ({
      source_type: 'compliance_report',
      payload: {
        framework: 'SOC2_TYPE2',
        controls: Array.from({ length: 13_000 }, (_, at) => ({ id: `C${at}`, status: 'pass' })),
      },
      signature: '0'.repeat(128),
    }),
  },
  {
    name: 'a credential of 19,000 members',
    method: 'POST',
    path: () => '/api/v1/credentials/verify',
    body: () => ({
      credential: Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [`m${at}`, at])),
    }),
  },
  { name: 'the OpenAPI document', path: () => '/openapi.json' },
  { name: 'the page of the documentation', path: () => '/swagger' },
  { name: 'the status of the operator', path: () => '/api/v1/operator/status' },
  { name: 'a list of receipts', path: () => '/api/v1/receipts?limit=100' },
  { name: 'the profile of an agent', path: ({ commitment }) => `/api/v1/passport/agents/${commitment}` },
  { name: 'health', path: () => '/api/health' },
  { name: 'a path that does not exist', path: () => '/nowhere' },
];

const WHO = ['one payer', '100 free payers', 'one /64'] as const;

interface Outcome {
  name: string;
  /** The latency of the victim ÷ what it may be, as median and 99th percentile. */
  median: number;
  p99: number;
}

export const fairness = defineBenchmark({
  name: 'fairness',
  capability: 'Receipts',
  about:
    `What one payer does to another. An operator issues receipts on ${VICTIM} connections; beside it ${ATTACKER} connections send the same ` +
    'costly request without end: of one free operator, of 100 in turns, of strangers in one /64. Limits are the defaults. The service ' +
    'runs on one core, both senders on the other. Alone means beside the same sender at a listener that does nothing. The median may be ' +
    'five times that, or that and one request of the attacker, whichever is more; the 99th percentile ten times. The full form also sends ' +
    'the example of every operation.',
  needs: ['wrk', 'product'],
  metrics: {
    median: { label: 'Median latency ÷ what it may be, worst', unit: 'ratio', goal: atMost(1) },
    p99: { label: '99th percentile ÷ what it may be, worst', unit: 'ratio', goal: atMost(1) },
    alone: { label: 'Issuing alone, median', unit: 'ms' },
  },
  short: { seconds: 3, operations: 0 },
  full: { seconds: 5, operations: 200 },
  async run({ seconds, operations }, bench) {
    const directory = bench.newDirectory();
    const service = await startAttacked(directory);
    const idle = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('x') });
    const outcomes: Outcome[] = [];
    const nothing = { url: String(idle.url), connections: ATTACKER, seconds, anyStatus: true };
    await issued(service, 2);
    const alone = await beside(nothing, () => issued(service, seconds - 1));
    print(`alone: ${alone.p50} ms, 99th percentile ${alone.p99} ms`);
    const documented = await documentedAttacks(service.url, operations);
    for (const [attack, who] of [
      ...ATTACKS.flatMap(byEach),
      ...documented.map((one) => [one, WHO[0]] as const),
    ]) {
      const load = attackOf(service, directory, attack, who, seconds);
      const { p50: single } = await onOtherCore({ ...load, connections: 1, seconds: 1 });
      const victim = await beside(load, () => issued(service, seconds - 1));
      const may = Math.max(5 * alone.p50, alone.p50 + single);
      // Without any response, wrk states a latency of 0.
      const outcome =
        victim.requests === 0
          ? { median: Number.POSITIVE_INFINITY, p99: Number.POSITIVE_INFINITY }
          : { median: victim.p50 / may, p99: victim.p99 / (10 * alone.p99) };
      outcomes.push({ name: `${attack.name}, ${who}`, ...outcome });
      print(
        `| ${attack.name}, ${who} | one: ${single} ms | ${victim.p50} ms | ${victim.p99} ms | ${outcome.median.toFixed(3)} | ${outcome.p99.toFixed(3)} |`,
      );
    }
    await idle.stop(true);
    await service.stop();
    const worst = (by: 'median' | 'p99'): Outcome[] => outcomes.toSorted((one, other) => other[by] - one[by]);
    for (const { name, median, p99 } of worst('median').slice(0, 10))
      print(`| ${name} | ${median.toFixed(3)} | ${p99.toFixed(3)} |`);
    const of = (by: 'median' | 'p99') => {
      const [first] = worst(by);
      return { value: first?.[by] ?? Number.NaN, note: first?.name ?? '' };
    };
    return { median: of('median'), p99: of('p99'), alone: alone.p50 };
  },
});

const byEach = (attack: Attack) => WHO.map((who) => [attack, who] as const);

/** Returns the example of each operation in the OpenAPI document, at most `most`. */
async function documentedAttacks(url: string, most: number): Promise<Attack[]> {
  const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
  return examplesOf(document)
    .slice(0, most)
    .map(({ name, method, path, body }) => ({
      name,
      method,
      path: () => path,
      ...(body === null ? {} : { body: (): JsonObject => JSON.parse(body) }),
    }));
}

/** Issues receipts of the victim. */
function issued({ url, apiKey }: AttackedService, seconds: number): Promise<Load> {
  return onOtherCore({
    ...{ url: `${url}/api/v1/receipts`, connections: VICTIM, seconds, script: 'issue.lua' },
    env: { API_KEY: apiKey },
  });
}

/** Measures while a load is under way. */
async function beside(load: LoadResult, measured: () => Promise<Load>): Promise<Load> {
  const under = onOtherCore(load);
  // wrk connects one after the other.
  await Bun.sleep(500);
  const result = await measured();
  await under;
  return result;
}

const onOtherCore = (load: LoadResult): Promise<Load> => runWrk({ ...load, core: 1 });

function attackOf(
  { url, free }: AttackedService,
  directory: string,
  { name, method, path, body }: Attack,
  who: (typeof WHO)[number],
  seconds: number,
): LoadResult {
  const [agent] = free;
  if (agent === undefined) throw new Error('there is no attacker');
  const file = join(directory, `${name.replaceAll('/', '_')}.json`);
  if (body !== undefined) writeFileSync(file, JSON.stringify(body(agent)));
  const keys = { 'one payer': [agent], '100 free payers': free, 'one /64': [] }[who];
  return {
    ...{ url, connections: ATTACKER, seconds, script: 'attack.lua', anyStatus: true },
    env: {
      ...{ METHOD: method ?? 'GET', TARGET: path(agent) },
      ...(body === undefined ? {} : { BODY: file }),
      ...(keys.length > 0
        ? { KEYS: keys.map(({ apiKey }) => apiKey).join(',') }
        : { NETWORK: '2001:db8:1:2::' }),
    },
  };
}
