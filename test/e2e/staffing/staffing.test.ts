import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { client, concurrently } from '../../support/client.ts';
import { nextOf, type Running, run, scratch, serve } from '../../support/process.ts';

const PREFIX = '/api/staffing/partner/v1';
const directory = scratch();
const data = join(directory.path, 'data');
let server: Running;
let key: string;
let partnerId: string;

beforeAll(async () => {
  server = await serve(data, {}, ['--service', 'staffing', '--rate-limits', 'off']);
});
afterAll(async () => {
  await server.stop();
  directory.dispose();
});

const by = (apiKey: string | null) => {
  const { call } = client(fetch, server.url, apiKey);
  return (method: string, path: string, body?: unknown) => call(method, `${PREFIX}${path}`, body);
};
const answer = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await run([...args, '--data', data]);
  if (code !== 0) throw new Error(stderr);
  return Object(JSON.parse(stdout));
};

describe('the first minutes of a firm', () => {
  test('have a ready file for CI that only its owner can read', () => {
    expect(server.ready).toEqual({
      url: server.url,
      service: 'staffing',
      version: expect.any(String),
      pid: server.pid,
      admin_token: expect.stringMatching(/^adm_[0-9a-f]{64}$/),
    });
    expect(statSync(server.readyFile).mode & 0o777).toBe(0o600);
  });

  test('get a key, search, read, submit and list', async () => {
    const made = await by(null)('POST', '/sandbox-keys', { email: 'ada@firm.example', company: 'Firm' });
    expect(made.status).toBe(201);
    key = String(made.body.api_key);
    partnerId = String(made.body.partner_id);
    const found = await by(key)('GET', '/clinicians/search?specialty=RN&state=CA&limit=3');
    const [first] = Object(found.body).data;
    expect(Object(found.body).data).toHaveLength(3);
    expect((await by(key)('GET', `/clinicians/${first.npi}`)).body).toEqual(first);
    const job = await by(key)('POST', '/jobs', {
      title: 'ICU nurse',
      specialty: 'ICU RN',
      state: 'CA',
      weeks: 13,
    });
    expect(job.status).toBe(201);
    expect(Object((await by(key)('GET', '/jobs')).body).data).toEqual([job.body]);
    expect((await by(key)('GET', '/me')).body).toMatchObject({
      usage: { requests_total: 5, stored_requisitions: 1 },
    });
  });

  test('store exactly twenty-five requisitions from fifty connections at once', async () => {
    const made = await by(null)('POST', '/sandbox-keys', { email: 'many@firm.example', company: 'Many' });
    const caller = by(String(made.body.api_key));
    const answers = await concurrently([...Array(50).keys()], 50, (index) =>
      caller('POST', '/jobs', { title: `job ${index}`, specialty: 'RN', state: 'TX' }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(25);
  });
});

describe('the operator of the staffing service', () => {
  test('runs commands while the server runs, with immediate effect', async () => {
    const promoted = await answer('partners', 'promote', '--yes', partnerId);
    const live = by(String(promoted.api_key));
    const job = (await live('POST', '/jobs', { title: 'CRNA', specialty: 'CRNA', state: 'NY' })).body;
    expect(await answer('jobs', 'status', String(job.id), 'filled')).toMatchObject({
      status: 'filled',
      partner_id: partnerId,
    });
    expect((await live('GET', `/jobs/${job.id}`)).body.status).toBe('filled');
    const listed = await run(['jobs', 'list', '--mode', 'live', '--data', data]);
    expect(
      listed.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([job.id]);
    const partners = await run(['partners', 'list', '--data', data]);
    const [head = '', ...rows] = partners.stdout.trim().split('\n');
    expect(head.split(/ {2,}/)).toEqual([
      'PARTNER',
      'STATUS',
      'KEYS',
      'REQUISITIONS',
      'CREATED',
      'EMAIL',
      'NAME',
    ]);
    expect(rows).toContainEqual(expect.stringMatching(/^ptr_\w+ +LIVE .* ada@firm\.example /));
    const whole = await run(['partners', 'list', '--output', 'ndjson', '--all', '--data', data]);
    const listedPartners: unknown[] = whole.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(listedPartners).toContainEqual(
      expect.objectContaining({ partner_id: partnerId, keys: expect.any(Array) }),
    );
    expect(partners.stdout).not.toContain(key);
    await answer('partners', 'revoke', '--yes', partnerId);
    expect((await by(key)('GET', '/me')).body.error).toMatchObject({ code: 'KEY_REVOKED' });
    const fresh = await answer('partners', 'key', '--yes', partnerId);
    expect((await by(String(fresh.api_key))('GET', '/me')).status).toBe(200);
    key = String(fresh.api_key);
  });

  test('removes a clinician from search, and restores the clinician', async () => {
    const { npi } = Object((await by(key)('GET', '/clinicians/search?limit=1')).body).data[0];
    expect(await answer('suppress', npi, '--reason', 'asked for it')).toMatchObject({
      was_in_registry: true,
    });
    expect((await by(key)('GET', `/clinicians/${npi}`)).body.error).toMatchObject({ code: 'NOT_FOUND' });
    const found = Object((await by(key)('GET', '/clinicians/search?limit=1')).body).data;
    expect(found[0].npi).not.toBe(npi);
    const wrong = await run(['suppress', '123', '--reason', 'x', '--data', data]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('ten digits')]);
    const { stdout } = await run(['suppress', '--list', '--data', data]);
    expect(JSON.parse(stdout)).toMatchObject({ npi, reason: 'asked for it' });
    expect(await answer('suppress', npi, '--undo')).toEqual({ npi, restored: true });
    expect((await by(key)('GET', `/clinicians/${npi}`)).status).toBe(200);
    for (const args of [[], [npi], [npi, '--list'], [npi, '--undo', '--reason', 'x'], ['--undo']]) {
      const unclear = await run(['suppress', ...args, '--data', data]);
      expect([args, unclear.code, unclear.stderr]).toEqual([
        args,
        2,
        expect.stringContaining('suppress --list'),
      ]);
    }
  });

  test('gets the same error messages with and without a server', async () => {
    for (const [args, code, message] of [
      [['partners', 'promote', '--yes', 'ptr_x'], 4, /no partner ptr_x/],
      [['partners', 'promote', '--yes', partnerId], 5, /already live/],
      [['jobs', 'status', 'req_x', 'open'], 4, /no requisition/],
      [['jobs', 'status', 'req_x', 'gone'], 2, /<status> must be one of open, on_hold/],
      [['jobs', 'list', '--status', 'gone'], 2, /Allowed choices/],
    ] as const) {
      const { code: found, stderr } = await run([...args, '--data', data]);
      expect([args, found, stderr]).toEqual([args, code, expect.stringMatching(message)]);
    }
    const elsewhere = await run(['partners', 'list', '--data', directory.path]);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringContaining('there is no staffing.db'),
    ]);
  });

  test('takes a backup and the keys to another machine, where everything is as it was', async () => {
    const file = (name: string): string => join(directory.path, name);
    const env = { COUNTERSIGN_KEYS_PASSPHRASE: 'correct horse battery' };
    const place = ['--service', 'staffing', '--data', data];
    await by(key)('PUT', '/webhook', { url: 'https://hooks.firm.example/' });
    expect((await run(['backup', file('b'), ...place])).code).toBe(0);
    expect((await run(['keys', 'backup', file('k'), ...place], { env })).code).toBe(0);
    expect(readFileSync(file('k'), 'utf8')).not.toContain(
      readFileSync(join(data, 'keys', 'master.key'), 'utf8').trim(),
    );
    const there = ['--service', 'staffing', '--data', file('there')];
    const wrong = await run(['restore', file('b'), '--data', file('wrong')]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('not one of the trust service')]);
    const restored = await run(['restore', file('b'), ...there]);
    expect([restored.code, nextOf(restored)]).toEqual([
      0,
      `COUNTERSIGN_KEYS_PASSPHRASE_FILE=PASSPHRASE_FILE countersign keys restore KEYS_FILE ${there.join(' ')}`,
    ]);
    const early = await run(['serve', '--port', '0', ...there]);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('master.key is missing')]);
    expect((await run(['keys', 'restore', file('k'), ...there], { env })).code).toBe(0);
    expect(nextOf(await run(['restore', file('b'), '--force', ...there]))).toBe(
      `countersign serve ${there.join(' ')}`,
    );
    const second = await serve(file('there'), {}, ['--service', 'staffing']);
    const { call } = client(fetch, second.url, key);
    expect((await call('GET', `${PREFIX}/webhook`)).body).toMatchObject({
      url: 'https://hooks.firm.example/',
    });
    expect(second.ready.admin_token).toBeNull();
    await second.stop();
  });
});

test('no secret is in what the staffing server said', async () => {
  server.signal('SIGTERM');
  const { code, stderr } = await server.ended();
  expect(code).toBe(0);
  for (const secret of [key, String(server.ready.admin_token)]) expect(stderr).not.toContain(secret);
  server = await serve(data, {}, ['--service', 'staffing']);
});
