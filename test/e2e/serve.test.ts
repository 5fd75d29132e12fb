import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../support/client.ts';
import { run, scratch, serve } from '../support/process.ts';

let directory: ReturnType<typeof scratch>;
let data: string;

beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

const KEY = `pp_${'12'.repeat(32)}`;
const TOKEN = `svc_${'34'.repeat(32)}`;

describe('the first start', () => {
  test('prints the secrets once, and writes them into the ready file for its owner alone', async () => {
    const first = await serve(data);
    expect(Object.keys(first.ready)).toEqual([
      'url',
      'service',
      'version',
      'pid',
      'operator_id',
      'api_key',
      'service_token',
    ]);
    expect(first.ready).toMatchObject({ service: 'trust', pid: first.pid });
    expect(first.ready.operator_id).toMatch(/^op_cus_[0-9A-Za-z]{24}$/);
    expect(first.ready.api_key).toMatch(/^pp_[0-9a-f]{64}$/);
    expect(first.ready.service_token).toMatch(/^svc_[0-9a-f]{64}$/);
    expect(statSync(first.readyFile).mode & 0o777).toBe(0o600);
    expect((await client(fetch, first.url, first.apiKey).issue()).status).toBe(201);
    const ended = await first.stop();
    expect(ended.code).toBe(0);
    for (const secret of [first.ready.api_key, first.ready.service_token, first.ready.operator_id]) {
      expect(ended.stdout).toContain(String(secret));
      expect(ended.stderr).not.toContain(String(secret));
    }
    expect(ended.stdout).toContain(`${first.url}/swagger`);

    const second = await serve(data);
    expect(second.ready).toMatchObject({
      operator_id: first.ready.operator_id,
      api_key: null,
      service_token: null,
    });
    expect((await client(fetch, second.url, first.apiKey).get('/api/v1/receipts')).status).toBe(200);
    expect((await second.stop()).stdout).not.toContain('API key');
  });

  test('takes key and token from the environment, at every start', async () => {
    const env = { COUNTERSIGN_BOOTSTRAP_API_KEY: KEY, COUNTERSIGN_SERVICE_TOKEN: TOKEN };
    const first = await serve(data, env);
    expect(first.ready).toMatchObject({ api_key: KEY, service_token: TOKEN });
    await first.stop();
    const second = await serve(data, env);
    expect(second.ready).toMatchObject({ api_key: KEY, service_token: TOKEN });
    expect((await client(fetch, second.url, KEY).issue()).status).toBe(201);
    await second.stop();
  });

  test.each([
    ['COUNTERSIGN_BOOTSTRAP_API_KEY', 'pp_short'],
    ['COUNTERSIGN_SERVICE_TOKEN', `pp_${'34'.repeat(32)}`],
    ['COUNTERSIGN_PORT', '70000'],
    ['COUNTERSIGN_BASE_URL', 'ftp://example.org'],
  ])('refuses %s of the wrong form', async (name, value) => {
    const { code, stderr } = await run(['serve', '--data', data], { env: { [name]: value } });
    expect(code).toBe(2);
    expect(stderr).toStartWith('countersign: error: ');
    expect(stderr).toContain('countersign: hint: ');
    expect(existsSync(data)).toBe(false);
  });
});

describe('what it cannot do, it says', () => {
  test.each(['staffing', 'nonsense'])('service %s', async (service) => {
    const { code, stderr } = await run(['serve', '--service', service]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`countersign: error: ${service}: `)]);
  });

  test('a port that is taken, a data directory that is in use', async () => {
    const first = await serve(data);
    const port = new URL(first.url).port;
    const taken = await run(['serve', '--port', port, '--data', join(directory.path, 'other')]);
    expect([taken.code, taken.stderr]).toEqual([
      1,
      expect.stringContaining(`port ${port} of 127.0.0.1 is in use`),
    ]);
    const used = await run(['serve', '--port', '0', '--data', data]);
    expect([used.code, used.stderr]).toEqual([1, expect.stringContaining('in use by another countersign')]);
    expect(used.stderr).toContain('countersign: hint: ');
    await first.stop();
  });

  test('a database of a newer program, and one of another', async () => {
    await (await serve(data)).stop();
    const database = new Database(join(data, 'trust.db'));
    database.run("INSERT INTO schema_migration VALUES ('9999_future', 'x', 'now')");
    const newer = await run(['serve', '--port', '0', '--data', data]);
    expect([newer.code, newer.stderr]).toEqual([1, expect.stringContaining('newer than this program')]);
    database.run('PRAGMA application_id = 1');
    database.close();
    const foreign = await run(['serve', '--port', '0', '--data', data]);
    expect([foreign.code, foreign.stderr]).toEqual([
      1,
      expect.stringContaining('not one of the trust service'),
    ]);
  });

  test('a ready file that cannot be written: nothing goes on running', async () => {
    const args = [
      'serve',
      '--port',
      '0',
      '--data',
      data,
      '--ready-file',
      join(directory.path, 'no/such.json'),
    ];
    expect((await run(args)).code).toBe(1);
    expect((await (await serve(data)).stop()).code).toBe(0);
  });

  test('a signing key that is missing, open to others, or another', async () => {
    await (await serve(data)).stop();
    const keys = join(data, 'keys');
    const [first = '', second = ''] = readdirSync(keys).map((name) => join(keys, name));
    const start = () => run(['serve', '--port', '0', '--data', data]);
    expect(statSync(first).mode & 0o777).toBe(0o600);
    chmodSync(first, 0o644);
    expect(await start()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('can be read by others'),
    });
    chmodSync(first, 0o600);
    renameSync(first, `${first}.away`);
    expect(await start()).toMatchObject({ code: 1, stderr: expect.stringContaining('is missing') });
    renameSync(second, first);
    expect((await start()).code).toBe(1);
  });
});

describe('the end', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s under load: all that was answered is there, exit 0',
    async (signal) => {
      const server = await serve(data, { COUNTERSIGN_BOOTSTRAP_API_KEY: KEY });
      const api = client(fetch, server.url, KEY);
      const answered: string[] = [];
      const load = Array.from({ length: 16 }, async () => {
        for (;;) {
          const { status, body } = await api.issue();
          if (status !== 201) throw new Error(`status ${status}`);
          answered.push(String(body.receipt_id));
        }
      }).map((worker) => worker.catch((error: Error) => error.message));
      while (answered.length < 200) await Bun.sleep(1);
      const { code } = await server.stop(signal);
      expect(code).toBe(0);
      for (const message of await Promise.all(load)) expect(message).not.toMatch(/^status (?!503)/);
      const again = await serve(data);
      const check = client(fetch, again.url, KEY);
      for (const id of answered) expect((await check.get(`/api/v1/receipts/${id}`)).status).toBe(200);
      await again.stop();
    },
  );
});
