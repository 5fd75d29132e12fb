import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readdirSync, readlinkSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, concurrently, underLoad } from '../../../support/client.ts';
import { type Running, run, scratch, serve } from '../../../support/process.ts';
import { giveSampleRegistry } from '../../../support/sample-registry.ts';
import { eventually } from '../../../support/virtual-time.ts';

let directory: ReturnType<typeof scratch>;
let data: string;
beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

const OFF = { COUNTERSIGN_RATE_LIMITS: 'off' };

/**
 * The receipts that the process still has in the files that it holds open, whatever became of their names.
 */
function receiptsHeldBy({ pid }: Running): number {
  const held = readdirSync(`/proc/${pid}/fd`).map((fd) => `/proc/${pid}/fd/${fd}`);
  const copies = ['', '-wal'].map((suffix) => {
    const path = held.find((fd) =>
      readlinkSync(fd).startsWith(`${join(data, 'trust.db')}${suffix} (deleted)`),
    );
    if (path === undefined) throw new Error(`trust.db${suffix} is not held`);
    return { path, copy: join(directory.path, `saved.db${suffix}`) };
  });
  for (const { path, copy } of copies) writeFileSync(copy, new Uint8Array(Bun.mmap(path)));
  const database = new Database(join(directory.path, 'saved.db'));
  const { n } = database.query<{ n: number }, []>('SELECT count(*) AS n FROM receipt').get() ?? { n: -1 };
  database.close();
  return n;
}

test('trust.db deleted under load: no receipt is acknowledged after it, health says so within two seconds, and all of them can be saved', async () => {
  const server = await serve(data, OFF);
  const own = client(fetch, server.url, server.apiKey);
  let deletedAt = Number.POSITIVE_INFINITY;
  let acknowledged = 0;
  let afterwards = 0;
  const load = (isOver: () => boolean) =>
    concurrently([...Array(8).keys()], 8, async () => {
      while (!isOver()) {
        const begun = performance.now();
        const { status } = await own.issue();
        if (status === 201) acknowledged++;
        if (status === 201 && begun > deletedAt) afterwards++;
        if (begun > deletedAt) expect(status).toBe(503);
      }
    });
  await underLoad(load, async () => {
    await eventually(() => acknowledged > 100);
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, `trust.db${suffix}`));
    deletedAt = performance.now();
    await eventually(async () => (await fetch(`${server.url}/api/health`)).status === 503);
    expect(performance.now() - deletedAt).toBeLessThan(2000);
  });
  expect(afterwards).toBe(0);
  expect(await (await fetch(`${server.url}/api/health`)).json()).toMatchObject({
    problems: [
      expect.stringMatching(
        /^The file trust\.db(-wal|-shm)? was removed while the server ran; nothing more is written/,
      ),
    ],
  });
  // Read requests go on, and so the operator has time.
  expect((await own.get('/api/v1/receipts?limit=1')).status).toBe(200);
  expect(receiptsHeldBy(server)).toBeGreaterThanOrEqual(acknowledged);
  expect((await run(['healthcheck', '--url', server.url])).code).toBe(1);
  await server.stop();
});

test('the data directory deleted: the server keeps its only copy, writes nothing and reads, until it is stopped', async () => {
  const server = await serve(data, OFF);
  const own = client(fetch, server.url, server.apiKey);
  for (let n = 0; n < 5; n++) expect((await own.issue()).status).toBe(201);
  // As rm -rf can do it: first the lock, and the rest within the next check.
  rmSync(join(data, 'lock'));
  await Bun.sleep(300);
  rmSync(data, { recursive: true });
  // Three checks of the lock.
  await Bun.sleep(3500);
  expect((await fetch(`${server.url}/api/health`)).status).toBe(503);
  expect((await own.issue()).body.reason_code).toBe('storage_unavailable');
  expect((await own.get('/api/v1/receipts?limit=1')).status).toBe(200);
  expect(receiptsHeldBy(server)).toBe(5);
  await server.stop();
});

test.each([
  // A checkpoint at that very moment fills the file up again: then SQLite itself has to meet the damage.
  ['trust.db', 'once that is noticed'],
  ['trust.db-wal', 'from then on'],
])('%s cut to nothing under load: %s no receipt is acknowledged, and health says so', async (name, when) => {
  const server = await serve(data, OFF);
  const own = client(fetch, server.url, server.apiKey);
  let cutAt = Number.POSITIVE_INFINITY;
  let refusedAt = Number.POSITIVE_INFINITY;
  let acknowledged = 0;
  let late = 0;
  const load = (isOver: () => boolean) =>
    concurrently([...Array(8).keys()], 8, async () => {
      while (!isOver()) {
        const begun = performance.now();
        const { status } = await own.issue();
        if (status === 201) acknowledged++;
        else refusedAt = Math.min(refusedAt, performance.now());
        if (status === 201 && begun > (when === 'from then on' ? cutAt : refusedAt)) late++;
      }
    });
  await underLoad(load, async () => {
    await eventually(() => acknowledged > 100);
    truncateSync(join(data, name));
    cutAt = performance.now();
    await eventually(async () => (await fetch(`${server.url}/api/health`)).status === 503);
  });
  expect(late).toBe(0);
  // Where SQLite was the first to meet the damage, the file is named by the check that runs once a second.
  const named = new RegExp(
    `^The file ${name} was (shortened or overwritten|found damaged .*) while the server ran`,
  );
  await eventually(async () => {
    const { problems } = Object(await (await fetch(`${server.url}/api/health`)).json());
    return named.test(String(problems[0]));
  });
  expect((await server.stop()).code).toBe(0);
});

test('keys/ moved away: health says so within two seconds, writes stop, and a restart with it in its place goes on', async () => {
  const server = await serve(data, OFF);
  const own = client(fetch, server.url, server.apiKey);
  expect((await own.issue()).status).toBe(201);
  renameSync(join(data, 'keys'), join(directory.path, 'keys'));
  const since = performance.now();
  await eventually(async () => (await fetch(`${server.url}/api/health`)).status === 503);
  expect(performance.now() - since).toBeLessThan(2000);
  expect((await own.issue()).body.reason_code).toBe('storage_unavailable');
  const { stderr } = await server.stop();
  expect(stderr).toContain('The file keys was removed while the server ran');
  renameSync(join(directory.path, 'keys'), join(data, 'keys'));
  const again = await serve(data, OFF);
  expect((await client(fetch, again.url, server.apiKey).issue()).status).toBe(201);
  await again.stop();
});

test('staffing.db deleted: requisitions are refused and health says so within two seconds', async () => {
  giveSampleRegistry(data);
  const server = await serve(data, OFF, ['--service', 'staffing']);
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(data, `staffing.db${suffix}`));
  const since = performance.now();
  await eventually(async () => (await fetch(`${server.url}/api/health`)).status === 503);
  expect(performance.now() - since).toBeLessThan(2000);
  const { code } = await server.stop();
  expect(code).toBe(0);
});
