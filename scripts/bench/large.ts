import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../sources.ts';
import { RARE, seed } from './seed.ts';
import {
  API_KEY,
  type BenchServer,
  compileServer,
  median,
  print,
  startServer,
  wrk,
} from './server-process.ts';

/**
 * What many stored receipts cost: pages of lists and the look-up of a predecessor against the same with a thousand,
 * issuing against an empty database, and memory. Both sides in turns, so that drift of the machine falls on both.
 * Prints table rows. Needs wrk and 2 GB of disk. `bun scripts/bench/large.ts [receipts] [rounds]`
 */
const MANY = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const FEW = 1000;
const REQUESTS = 500;
const WARM_UP_REQUESTS = 200;

const AGO = '2026-11-05T00:00:00Z';
/** Each gives as many rows at FEW as at MANY, or its ratio would say nothing. NEXT stands for the first page's cursor. */
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

const made: string[] = [];
try {
  compileServer();
  const few = await seeded(FEW);
  const many = await seeded(MANY);
  await reading(few, many);
  await issuing(many, 'one');
  await issuing(many, 'mixed');
} finally {
  for (const directory of made) rmSync(directory, { recursive: true, force: true });
}

function newDirectory(): string {
  const path = mkdtempSync(join(ROOT, 'dist', 'bench-'));
  made.push(path);
  return path;
}

/** A data directory that a first start has made, with `count` receipts put into it. */
async function seeded(count: number): Promise<string> {
  const path = newDirectory();
  await (await startServer(path)).stop();
  seed(join(path, 'trust.db'), count);
  return path;
}

async function reading(few: string, many: string): Promise<void> {
  const servers = [await startServer(few), await startServer(many)] as const;
  try {
    print(`| Request | Rows | At ${FEW} | At ${MANY} | Ratio |`);
    for (const list of LISTS) {
      const [left, right] = [await pageUrl(servers[0], list), await pageUrl(servers[1], list)];
      const rows = [(await page(left)).length, (await page(right)).length];
      if (rows[0] !== rows[1]) throw new Error(`${list}: not as many rows on both sides (${rows})`);
      const times = await inTurns(
        () => page(left),
        () => page(right),
      );
      printTimes(`\`${list}\` | ${rows[0]}`, times);
    }
    const times = await inTurns(
      () => chainOnNothing(servers[0]),
      () => chainOnNothing(servers[1]),
    );
    printTimes('issue with a `prev_receipt_hash` that nothing had | –', times);
  } finally {
    for (const server of servers) await server.stop();
  }
}

function printTimes(name: string, [few, many]: readonly [number, number]): void {
  print(`| ${name} | ${few.toFixed(2)} ms | ${many.toFixed(2)} ms | ${(many / few).toFixed(2)} |`);
}

/** Issuing on `many` against issuing on an empty database, a fresh one each round. */
async function issuing(many: string, kind: 'one' | 'mixed'): Promise<void> {
  print(kind === 'mixed' ? '200 agents, four domains:' : 'one agent, one domain:');
  print('| Round | Empty, requests/s | Many, requests/s | Ratio | p99 empty | p99 many | Memory |');
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const servers = [await startServer(newDirectory()), await startServer(many)] as const;
    try {
      for (const { url } of servers) wrk(`${url}/api/v1/receipts`, 2, kind);
      const [empty, full] = [
        wrk(`${servers[0].url}/api/v1/receipts`, 5, kind),
        wrk(`${servers[1].url}/api/v1/receipts`, 5, kind),
      ];
      const { peak } = servers[1].memory();
      ratios.push(full.rate / empty.rate);
      print(
        `| ${round} | ${empty.rate.toFixed(0)} | ${full.rate.toFixed(0)} | ${(full.rate / empty.rate).toFixed(3)} | ${empty.p99} | ${full.p99} | ${peak.toFixed(0)} MiB |`,
      );
    } finally {
      for (const server of servers) await server.stop();
    }
  }
  print(`median ratio ${median(ratios).toFixed(3)}`);
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

/** The median milliseconds of two tasks, run one after the other in turns. */
async function inTurns(
  few: () => Promise<unknown>,
  many: () => Promise<unknown>,
): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let turn = 0; turn < WARM_UP_REQUESTS + REQUESTS; turn++) {
    for (const [index, task] of [few, many].entries()) {
      const since = performance.now();
      await task();
      if (turn >= WARM_UP_REQUESTS) times[index]?.push(performance.now() - since);
    }
  }
  return [median(times[0]), median(times[1])];
}
