import { join } from 'node:path';
import { enrolledAgent } from '../enrolled-agent.ts';
import { defineBenchmark } from '../harness/benchmark.ts';
import { atMost } from '../harness/metric.ts';
import { perRequest } from '../processor-time.ts';
import { rows } from '../receipt-rows.ts';
import { seed } from '../seed.ts';
import { seedPackages } from '../seed-packages.ts';
import { API_KEY, startServer } from '../server-process.ts';
import { print } from '../statistics.ts';

/** Figures of pages are cached for a second at least, so requests that are further apart make them anew. */
const APART_MS = 1100;
/** The items of evidence of the agent that has a page. */
const EVIDENCE = 10_000;
/** Requests of a page whose code and whose part of the database are loaded. */
const REQUESTS = 8;

export const explorer = defineBenchmark({
  name: 'explorer',
  capability: 'Receipts',
  about:
    'Pages of the explorer, one of them of an agent with 10,000 items of evidence, and the first account page of an operator with all ' +
    'receipts, on a server with many of them. Each page is requested once, then several times, more than a second apart: the processor ' +
    'time of the main thread is that of these.',
  needs: ['trust server'],
  metrics: {
    main: { label: 'Most processor time of the main thread for a page', unit: 'ms', goal: atMost(50) },
    bytes: { label: 'Largest page, not compressed', unit: 'bytes', goal: atMost(60_000) },
  },
  short: { receipts: 100_000 },
  full: { receipts: 1_000_000 },
  async run({ receipts }, bench) {
    const data = bench.newDirectory();
    const file = join(data, 'trust.db');
    const first = await startServer(data, 'off');
    const agent = await enrolledAgent(first);
    await first.stop();
    await seed(file, receipts);
    await seedPackages(file, {
      commitments: [agent],
      receipts: EVIDENCE / 10,
      evidence: EVIDENCE,
      now: Date.now() - 3600_000,
    });
    const server = await startServer(data, 'off');
    const headers = { accept: 'text/html', cookie: await sessionAt(server.url) };
    let [most, largest] = [
      { value: 0, note: '' },
      { value: 0, note: '' },
    ];
    for (const path of [...pathsOf(file, receipts), `/agents/${agent}`]) {
      const get = async (): Promise<number> => {
        const response = await fetch(server.url + path, { headers, redirect: 'manual' });
        if (response.status >= 400) throw new Error(`${path} is ${response.status}`);
        return (await response.text()).length;
      };
      const bytes = await get();
      const { mainMicros } = await perRequest(server, async () => {
        for (let made = 0; made < REQUESTS; made++) {
          await Bun.sleep(APART_MS);
          await get();
        }
        return { requests: REQUESTS };
      });
      const note = path.slice(0, 40);
      print(`| ${note} | ${(mainMicros / 1000).toFixed(1)} ms | ${bytes} |`);
      if (mainMicros / 1000 > most.value) most = { value: mainMicros / 1000, note };
      if (bytes > largest.value) largest = { value: bytes, note };
    }
    await server.stop();
    return { main: most, bytes: largest };
  },
});

/** Returns the paths of the pages, with the oldest receipt, a search for its content hash and one for none. */
function pathsOf(file: string, receipts: number): string[] {
  const [oldest] = rows<{ id: string; hash: string }>(
    file,
    `SELECT 'rcpt_' || lower(hex(receipt_id)) AS id, lower(hex(content_hash)) AS hash FROM receipt_version JOIN receipt USING (receipt_seq)
     WHERE receipt_version.version = 2 ORDER BY receipt_seq LIMIT 1`,
  );
  return [
    '/',
    `/receipts/${oldest?.id}`,
    '/leaderboard',
    '/logs',
    '/logs/receipts',
    `/logs/receipts?index=${receipts / 2}`,
    '/logs/keys?index=1',
    `/search?q=${oldest?.hash}`,
    `/search?q=${'ab'.repeat(32)}`,
    '/account',
  ];
}

/** Logs in with the key of the server. @returns the cookie of the session */
async function sessionAt(url: string): Promise<string> {
  const response = await fetch(`${url}/account/login`, {
    method: 'POST',
    body: new URLSearchParams({ api_key: API_KEY }),
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  });
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
  if (!cookie.startsWith('session_token=')) throw new Error('the login failed');
  return cookie;
}
