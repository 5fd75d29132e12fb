import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Bench, defineBenchmark } from '../harness/benchmark.ts';
import { atLeast, atMost } from '../harness/metric.ts';
import { RARE, seed } from '../seed.ts';
import { API_KEY, type BenchServer, startServer } from '../server-process.ts';
import { median, print } from '../statistics.ts';
import { issueAt } from '../wrk.ts';

const FEW = 1000;

const AGO = '2026-11-05T00:00:00Z';
/**
 * Each list must give the same number of rows with FEW as with MANY; otherwise the ratio is meaningless. NEXT
 * stands for the first page's cursor.
 */
const LISTS = [
  'limit=50',
  'limit=50&cursor=NEXT',
  `limit=50&to=${AGO}&cursor=NEXT`,
  `limit=50&from=${AGO}`,
  'limit=50&domain=CUSTOMER_SUPPORT',
  'limit=50&status=success',
  'limit=10&status=terminal',
  RARE.status,
  'limit=50&agent_id=agent-0',
  `limit=50&agent_id=agent-0&to=${AGO}&cursor=NEXT`,
  'limit=50&agent_id=agent-0&domain=CODE_GENERATION',
  'limit=50&agent_id=agent-0&status=success',
  'limit=2&agent_id=agent-77',
  RARE.combination,
  'agent_id=nobody',
];

export const large = defineBenchmark({
  name: 'large',
  capability: 'Receipts',
  about:
    'What many stored receipts cost. Pages of every list, and the lookup of a predecessor that does not exist, against a server with ' +
    '1,000 receipts; issuing against a server with an empty database, 64 connections. Both sides in turns.',
  needs: ['wrk', 'trust server'],
  metrics: {
    page: { label: 'A page with many receipts ÷ with 1,000, slowest list', unit: 'ratio', goal: atMost(2) },
    chain: { label: 'Issue with an unknown prev_receipt_hash, many ÷ 1,000', unit: 'ratio' },
    one: { label: 'Issue with many ÷ with none, one agent and domain', unit: 'ratio', goal: atLeast(0.85) },
    mixed: {
      label: 'Issue with many ÷ with none, 200 agents, four domains',
      unit: 'ratio',
      goal: atLeast(0.85),
    },
    p99: { label: 'Issue with many, worst 99th percentile', unit: 'ms' },
    memory: { label: 'Memory of the server with many at most', unit: 'MB', goal: atMost(160) },
  },
  short: { receipts: 200_000, requests: 200, rounds: 3, seconds: 3 },
  full: { receipts: 1_000_000, requests: 500, rounds: 5, seconds: 5 },
  async run({ receipts, requests, rounds, seconds }, bench) {
    const few = await seeded(bench, FEW);
    const many = await seeded(bench, receipts);
    const pages = await reading(few, many, requests);
    const one = await issuing(many, 'one', { rounds, seconds }, bench);
    const mixed = await issuing(many, 'mixed', { rounds, seconds }, bench);
    return {
      ...pages,
      one: one.ratio,
      mixed: mixed.ratio,
      p99: Math.max(one.p99, mixed.p99),
      memory: Math.max(one.memory, mixed.memory),
    };
  },
});

/** Creates a data directory by a first start, and inserts `count` receipts. */
async function seeded(bench: Bench, count: number): Promise<string> {
  const path = bench.newDirectory();
  await (await startServer(path)).stop();
  await seed(join(path, 'trust.db'), count);
  return path;
}

async function reading(few: string, many: string, requests: number) {
  const servers = [await startServer(few), await startServer(many)] as const;
  const ratios: { list: string; ratio: number }[] = [];
  for (const list of LISTS) {
    const [left, right] = [await pageUrl(servers[0], list), await pageUrl(servers[1], list)];
    const rows = [(await page(left)).length, (await page(right)).length];
    if (rows[0] !== rows[1]) throw new Error(`${list}: not as many rows on both sides (${rows})`);
    const times = await inTurns(
      requests,
      () => page(left),
      () => page(right),
    );
    ratios.push({ list, ratio: printed(`\`${list}\` | ${rows[0]}`, times) });
  }
  const times = await inTurns(
    requests,
    () => chainOnNothing(servers[0]),
    () => chainOnNothing(servers[1]),
  );
  const chain = printed('issue with a `prev_receipt_hash` that nothing had | –', times);
  for (const server of servers) await server.stop();
  const [slowest = { list: 'none', ratio: Number.NaN }] = ratios.toSorted(
    (left, right) => right.ratio - left.ratio,
  );
  return { page: { value: slowest.ratio, note: slowest.list }, chain };
}

function printed(name: string, [few, many]: readonly [number, number]): number {
  print(`| ${name} | ${few.toFixed(2)} ms | ${many.toFixed(2)} ms | ${(many / few).toFixed(2)} |`);
  return many / few;
}

/** Compares issuing on `many` with issuing on an empty database, which is new in each round. */
async function issuing(
  many: string,
  kind: 'one' | 'mixed',
  { rounds, seconds }: { rounds: number; seconds: number },
  bench: Bench,
): Promise<{ ratio: number; p99: number; memory: number }> {
  print(kind === 'mixed' ? '200 agents, four domains:' : 'one agent, one domain:');
  const ratios: number[] = [];
  const p99s: number[] = [];
  const peaks: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const servers = [await startServer(bench.newDirectory()), await startServer(many)] as const;
    for (const { url } of servers) await issueAt(`${url}/api/v1/receipts`, 2, kind);
    const empty = await issueAt(`${servers[0].url}/api/v1/receipts`, seconds, kind);
    const full = await issueAt(`${servers[1].url}/api/v1/receipts`, seconds, kind);
    const { peak } = servers[1].memory();
    ratios.push(full.rate / empty.rate);
    p99s.push(full.p99);
    peaks.push(peak);
    print(
      `| ${round} | ${empty.rate.toFixed(0)} | ${full.rate.toFixed(0)} | ${(full.rate / empty.rate).toFixed(3)} | ${empty.p99} ms | ${full.p99} ms | ${peak.toFixed(0)} MB |`,
    );
    for (const server of servers) await server.stop();
  }
  return { ratio: median(ratios), p99: Math.max(...p99s), memory: Math.max(...peaks) };
}

async function pageUrl({ url }: BenchServer, list: string): Promise<string> {
  const first = `${url}/api/v1/receipts?${list.replace('&cursor=NEXT', '')}`;
  if (!list.endsWith('NEXT')) return first;
  const { next_cursor } = Object(await (await request(first)).json());
  return `${first}&cursor=${next_cursor}`;
}

async function page(url: string): Promise<unknown[]> {
  const response = await request(url);
  const { receipts } = Object(await response.json());
  if (!response.ok || !Array.isArray(receipts)) throw new Error(`${url}: ${response.status}`);
  return receipts;
}

async function chainOnNothing({ url }: BenchServer): Promise<void> {
  const body = {
    agent_id: 'agent-7',
    receipt_type: 'custody',
    input_digest: '9f'.repeat(32),
    authority_scope: 'payments:read',
    expiry: '2036-01-31T12:00:00Z',
    domain: 'CODE_GENERATION',
    prev_receipt_hash: randomBytes(32).toString('hex'),
  };
  const response = await request(`${url}/api/v1/receipts`, { method: 'POST', body: JSON.stringify(body) });
  await response.text();
  if (response.status !== 400) throw new Error(`a chain on nothing: ${response.status}`);
}

function request(url: string, init: { method?: string; body?: string } = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  return fetch(url, { ...init, headers });
}

/**
 * Returns the median times of two tasks in milliseconds. It runs them alternately, after a warm-up of two
 * fifths as many runs.
 */
async function inTurns(
  requests: number,
  few: () => Promise<unknown>,
  many: () => Promise<unknown>,
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  const warming = requests * 0.4;
  for (let turn = 0; turn < warming + requests; turn++) {
    for (const [index, task] of [few, many].entries()) {
      const since = performance.now();
      await task();
      if (turn >= warming) times[index]?.push(performance.now() - since);
    }
  }
  return [median(times[0]), median(times[1])];
}
