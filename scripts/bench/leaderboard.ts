import { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../src/platform/data-directory.ts';
import { openTrustService } from '../../src/trust/service.ts';
import { ROOT } from '../sources.ts';
import { seedAgents } from './seed-agents.ts';
import { compileServer, loadOf, print, startServer } from './server-process.ts';

/**
 * The leaderboard and profiles with many agents and much evidence: median and 99th percentile in the server, from the
 * request to the whole answer, in process; then requests a second over HTTP against the same server's no-op GET. Prints table
 * rows. Needs wrk and 500 bytes of disk an item. `bun scripts/bench/leaderboard.ts [agents] [evidence]`
 */
const AGENTS = Number(process.argv[2] ?? 100_000);
const EVIDENCE = Number(process.argv[3] ?? 5_000_000);
const READS = 2000;
const LEADERBOARD = '/api/v1/leaderboard';

interface Page {
  agents: { subject_commitment: string }[];
  next_cursor: string | null;
}

const data = mkdtempSync(join(ROOT, 'dist', 'bench-'));
try {
  await opened(async () => undefined);
  const since = performance.now();
  seedAgents(join(data, 'trust.db'), { agents: AGENTS, evidence: EVIDENCE, now: Date.now() });
  print(
    `${AGENTS} agents, ${EVIDENCE} items of evidence, made in ${((performance.now() - since) / 1000).toFixed(0)} s`,
  );
  const commitments = someCommitments();
  const pages = await inProcess(commitments);
  await overHttp([...pages, ['profile', `/api/v1/profiles/${commitments[0]}`]]);
} finally {
  rmSync(data, { recursive: true, force: true });
}

async function opened<T>(task: (get: (path: string) => Promise<string>) => Promise<T>): Promise<T> {
  const directory = takeDataDirectory(data);
  const service = await openTrustService(
    directory,
    new Map([['rate_limits', 'off']]),
    pino({ level: 'silent' }),
    { version: 'bench', url: 'http://localhost' },
  );
  const { fetch } = service.app('/');
  const result = await task(async (path) => {
    const response = await fetch(new Request(`http://localhost${path}`));
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response.text();
  });
  await service.close();
  directory.release();
  return result;
}

/** Times each kind of request. @returns pages of the leaderboard by their names */
async function inProcess(commitments: readonly string[]): Promise<[string, string][]> {
  return opened(async (get) => {
    const cursors = await everyCursor(get);
    const at = (index: number): string => `${LEADERBOARD}?limit=100&cursor=${cursors[index]}`;
    const deepest = at(cursors.length - 1);
    print('| Asked | median / p99 in the server |');
    print(`| first page, 50 agents | ${await timed(() => get(LEADERBOARD))} |`);
    print(`| first page, 100 agents | ${await timed(() => get(`${LEADERBOARD}?limit=100`))} |`);
    print(
      `| another page each time, 100 agents | ${await timed((turn) => get(at(turn % cursors.length)))} |`,
    );
    print(`| the last page | ${await timed(() => get(deepest))} |`);
    print(
      `| another profile each time | ${await timed((turn) => get(`/api/v1/profiles/${commitments[turn % commitments.length]}`))} |`,
    );
    return [
      ['first page, 50 agents', LEADERBOARD],
      ['first page, 100 agents', `${LEADERBOARD}?limit=100`],
      ['the last page', deepest],
    ];
  });
}

/** Goes through all pages. @throws Error when somebody is missing */
async function everyCursor(get: (path: string) => Promise<string>): Promise<string[]> {
  const cursors: string[] = [];
  let seen = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = JSON.parse(
      await get(`${LEADERBOARD}?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`),
    );
    seen += page.agents.length;
    cursor = page.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  if (seen !== AGENTS) throw new Error(`${seen} agents on the leaderboard`);
  return cursors;
}

async function overHttp(requests: readonly [string, string][]): Promise<void> {
  compileServer();
  const server = await startServer(data, 'off');
  try {
    const load = (path: string) =>
      loadOf(
        Bun.spawnSync(['wrk', '-t1', '-c16', '-d4', '--latency', `${server.url}${path}`]).stdout.toString(),
      );
    load('/noop');
    print('| Asked | requests/s | ÷ no-op GET | p99 with 16 connections |');
    for (const [name, path] of requests) {
      const [noop, own] = [load('/noop'), load(path)];
      print(
        `| ${name} | ${own.rate.toFixed(0)} of ${noop.rate.toFixed(0)} | ${(own.rate / noop.rate).toFixed(3)} | ${own.p99} |`,
      );
    }
    print(`memory ${server.memory().now.toFixed(0)} MiB`);
  } finally {
    await server.stop();
  }
}

function someCommitments(): string[] {
  const database = new Database(join(data, 'trust.db'), { readonly: true });
  const rows = database
    .query<{ commitment: string }, [number]>(
      'SELECT lower(hex(subject_commitment)) AS commitment FROM agent ORDER BY random() LIMIT ?',
    )
    .all(READS);
  database.close();
  return rows.map(({ commitment }) => commitment);
}

/** Median and 99th percentile in milliseconds, after some to warm up. */
async function timed(run: (turn: number) => Promise<unknown>): Promise<string> {
  for (let turn = 0; turn < READS / 10; turn++) await run(turn);
  const times: number[] = [];
  for (let turn = 0; turn < READS; turn++) {
    const since = performance.now();
    await run(turn);
    times.push(performance.now() - since);
  }
  times.sort((left, right) => left - right);
  const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(2);
  return `${at(0.5)} / ${at(0.99)} ms`;
}
