import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type DataDirectory, takeDataDirectory } from '../../../../src/platform/data-directory.ts';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import { openStaffingService, type StaffingService } from '../../../../src/staffing/service/service.ts';
import { giveSampleRegistry } from '../../../support/sample-registry.ts';
import { PREFIX } from '../../../support/staffing-app.ts';
import { VirtualTime } from '../../../support/virtual-time.ts';

let parent: string;
let directory: DataDirectory;
let service: StaffingService;
let time: VirtualTime;

async function open(settings: Record<string, string> = {}): Promise<void> {
  directory = takeDataDirectory(join(parent, 'data'));
  const config = { rate_limits: 'on', 'limits.sandbox_keys_per_day': '2', ...settings };
  service = await openStaffingService(directory, new Map(Object.entries(config)), pino({ level: 'silent' }), {
    version: 'test',
    clock: time,
  });
}

async function close(): Promise<void> {
  await service.close();
  directory.release();
}

beforeEach(async () => {
  time = new VirtualTime();
  parent = mkdtempSync(join(tmpdir(), 'countersign-daily-keys-'));
  directory = takeDataDirectory(join(parent, 'data'));
  giveSampleRegistry(directory.path);
  directory.release();
  await open();
});
afterEach(async () => {
  await close();
  rmSync(parent, { recursive: true });
});

/** Requests a sandbox key from a client address. */
function from(peer: string, email: string, path = `${PREFIX}/sandbox-keys`): Promise<Response> {
  const isForm = path === '/sandbox-keys';
  const fields = { email, company: 'Firm' };
  return service.app('/').fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
      body: isForm ? new URLSearchParams({ ...fields, form: email }).toString() : JSON.stringify(fields),
    }),
    peer,
  );
}

const rows = () =>
  service.staffing.store.read(({ connection }) =>
    connection.sqlite.query<{ count: number }, []>('SELECT count(*) AS count FROM provision').get(),
  );

async function restart(settings: Record<string, string> = {}): Promise<void> {
  await close();
  await open(settings);
}

test('the sandbox keys of a day and address are counted over restarts, by the API and the page', async () => {
  expect((await from('192.0.2.77', 'a@firm.test')).status).toBe(201);
  await restart();
  expect((await from('192.0.2.77', 'b@firm.test', '/sandbox-keys')).status).toBe(201);
  await restart();
  time.advance(3_600_000);
  const refused = await from('192.0.2.77', 'c@firm.test');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(23 * 3600)]);
  expect(await refused.json()).toMatchObject({
    error: { code: 'RATE_LIMITED', message: 'At most 2 sandbox keys per day are made for one address.' },
  });
  const page = await from('192.0.2.77', 'd@firm.test', '/sandbox-keys');
  expect([page.status, (await page.text()).includes('Wait 1380 minutes')]).toEqual([429, true]);
  expect((await from('192.0.2.78', 'e@firm.test')).status).toBe(201);
  time.advance(DAY_MS - 3_600_000);
  expect((await from('192.0.2.77', 'f@firm.test')).status).toBe(201);
});

test('refused requests do not count, and an IPv6 client has a /64', async () => {
  expect((await from('2001:db8::1', 'a@firm.test')).status).toBe(201);
  expect((await from('2001:db8::2', 'a@firm.test')).status).toBe(409);
  expect((await from('2001:db8::3', 'b@gmail.com')).status).toBe(400);
  expect((await from('2001:db8::4', 'c@firm.test')).status).toBe(201);
  expect((await from('2001:db8::5', 'd@firm.test')).status).toBe(429);
});

test('requests at the same time get no more keys than the limit', async () => {
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => from('192.0.2.77', `n${n}@firm.test`)),
  );
  expect(answers.filter(({ status }) => status === 201).length).toBe(2);
});

test('no address is stored, and what is stored of it goes after a day', async () => {
  await from('192.0.2.77', 'a@firm.test');
  await restart();
  expect(readFileSync(join(directory.path, 'staffing.db')).includes('192.0.2.')).toBe(false);
  const { tasks } = await service.background();
  const task = tasks.find(({ name }) => name === 'forget addresses of new accounts');
  await task?.run();
  expect(await rows()).toEqual({ count: 1 });
  time.advance(DAY_MS);
  await task?.run();
  expect(await rows()).toEqual({ count: 0 });
});

test('a key that is sent by mail counts before the mail is sent, even if nobody takes it', async () => {
  // Nobody listens at this port.
  await restart({ 'smtp.url': 'smtp://127.0.0.1:1', 'smtp.from': 'keys@registry.example' });
  const answers = [];
  for (const email of ['a@firm.test', 'b@firm.test', 'c@firm.test'])
    answers.push((await from('192.0.2.77', email)).status);
  expect(answers).toEqual([503, 503, 429]);
});

test('rate_limits off removes the limit, and stores nothing', async () => {
  await restart({ rate_limits: 'off' });
  for (let n = 0; n < 4; n++) expect((await from('192.0.2.77', `n${n}@firm.test`)).status).toBe(201);
  expect(await rows()).toEqual({ count: 0 });
});
