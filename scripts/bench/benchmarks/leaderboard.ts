import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import pino from 'pino';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';
import { openTrustService } from '../../../src/trust/service/service.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost, type Measured } from '../harness/metric.ts';
import { seedAgents } from '../seed-agents.ts';
import { startServer } from '../server-process.ts';
import { percentile, print, spread, timed } from '../statistics.ts';
import { runWrk } from '../wrk.ts';

const LEADERBOARD = '/api/v1/leaderboard';

type Get = (path: string) => Promise<string>;

interface Page {
  agents: { subject_commitment: string }[];
  next_cursor: string | null;
}

export const leaderboard = defineBenchmark({
  name: 'leaderboard',
  capability: 'Agents',
  about:
    'The leaderboard and profiles with many agents and much evidence; a twentieth of the agents has half of the evidence. 99th ' +
    'percentiles in process, from the request to the whole response; then over HTTP with 16 connections against the no-op GET of the ' +
    'same server, in turns.',
  needs: ['wrk', 'trust server'],
  metrics: {
    first50: { label: 'First page, 50 agents, 99th percentile', unit: 'ms', goal: atMost(3) },
    first100: { label: 'First page, 100 agents, 99th percentile', unit: 'ms', goal: atMost(3) },
    others: { label: 'Another page each time, 100 agents, 99th percentile', unit: 'ms', goal: atMost(3) },
    last: { label: 'The last page, 99th percentile', unit: 'ms', goal: atMost(3) },
    profile: { label: 'Another profile each time, 99th percentile', unit: 'ms', goal: atMost(3) },
    first50Ratio: { label: 'First page, 50 agents ÷ no-op GET', unit: 'ratio' },
    first100Ratio: { label: 'First page, 100 agents ÷ no-op GET', unit: 'ratio' },
    lastRatio: { label: 'The last page ÷ no-op GET', unit: 'ratio' },
    profileRatio: { label: 'One profile ÷ no-op GET', unit: 'ratio' },
    memory: { label: 'Memory of the server afterwards', unit: 'MB' },
  },
  short: { agents: 20_000, 'items of evidence': 500_000, reads: 1000, seconds: 2 },
  full: { agents: 100_000, 'items of evidence': 5_000_000, reads: 2000, seconds: 4 },
  async run({ agents, 'items of evidence': evidence, reads, seconds }, bench) {
    const data = bench.newDirectory();
    await opened(data, async () => undefined);
    const file = join(data, 'trust.db');
    seedAgents(file, { agents, evidence, now: Date.now() });
    const commitments = someCommitments(file, reads);
    const { metrics, deepest } = await inProcess(data, commitments, agents, reads);
    const paths = {
      first50Ratio: LEADERBOARD,
      first100Ratio: `${LEADERBOARD}?limit=100`,
      lastRatio: deepest,
      profileRatio: `/api/v1/profiles/${commitments[0]}`,
    };
    return { ...metrics, ...(await overHttp(data, paths, seconds)) };
  },
});

async function opened<T>(data: string, task: (get: Get) => Promise<T>): Promise<T> {
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

/** Measures each kind of request. @returns the 99th percentiles, and the last page */
async function inProcess(data: string, commitments: readonly string[], agents: number, reads: number) {
  return opened(data, async (get) => {
    const cursors = await everyCursor(get, agents);
    const at = (index: number): string => `${LEADERBOARD}?limit=100&cursor=${cursors[index]}`;
    const deepest = at(cursors.length - 1);
    const p99 = async (name: string, run: (turn: number) => Promise<unknown>): Promise<Measured> => {
      const times = await timed(reads, run);
      print(`| ${name} | ${spread(times)} |`);
      return { value: percentile(times, 0.99) };
    };
    const metrics = {
      first50: await p99('first page, 50 agents', () => get(LEADERBOARD)),
      first100: await p99('first page, 100 agents', () => get(`${LEADERBOARD}?limit=100`)),
      others: await p99('another page each time, 100 agents', (turn) => get(at(turn % cursors.length))),
      last: await p99('the last page', () => get(deepest)),
      profile: await p99('another profile each time', (turn) =>
        get(`/api/v1/profiles/${commitments[turn % commitments.length]}`),
      ),
    };
    return { metrics, deepest };
  });
}

/** Reads all pages. @throws Error when an agent is missing */
async function everyCursor(get: Get, agents: number): Promise<string[]> {
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
  if (seen !== agents) throw new Error(`${seen} agents on the leaderboard`);
  return cursors;
}

/** Measures requests per second ÷ those of the no-op GET for each path, and the server's memory. */
async function overHttp(
  data: string,
  paths: Record<'first50Ratio' | 'first100Ratio' | 'lastRatio' | 'profileRatio', string>,
  seconds: number,
) {
  const server = await startServer(data, 'off');
  const load = (path: string) => runWrk({ url: `${server.url}${path}`, connections: 16, seconds });
  await load('/noop');
  const ratioOf = async (path: string): Promise<number> => {
    const [noop, own] = [await load('/noop'), await load(path)];
    const ratio = own.rate / noop.rate;
    const rates = `${own.rate.toFixed(0)} of ${noop.rate.toFixed(0)}`;
    print(`| ${path.slice(0, 60)} | ${rates} | ${ratio.toFixed(3)} | ${own.p99} ms |`);
    return ratio;
  };
  const metrics = {
    first50Ratio: await ratioOf(paths.first50Ratio),
    first100Ratio: await ratioOf(paths.first100Ratio),
    lastRatio: await ratioOf(paths.lastRatio),
    profileRatio: await ratioOf(paths.profileRatio),
    memory: server.memory().now,
  };
  await server.stop();
  return metrics;
}

/** Returns the commitments of random agents. */
function someCommitments(file: string, count: number): string[] {
  const database = new Database(file, { readonly: true });
  const rows = database
    .query<{ commitment: string }, [number]>(
      'SELECT lower(hex(subject_commitment)) AS commitment FROM agent ORDER BY random() LIMIT ?',
    )
    .all(count);
  database.close();
  return rows.map(({ commitment }) => commitment);
}
