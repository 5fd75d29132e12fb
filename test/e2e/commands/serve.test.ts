import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { REQUIRED_KEYS } from '../../../src/trust/log/keys/signing-keys.ts';
import { client, issueBody } from '../../support/client.ts';
import { EXECUTABLE, run, scratch, serve, start } from '../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let data: string;

beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

const KEY = `pp_${'12'.repeat(32)}`;
const TOKEN = `svc_${'34'.repeat(32)}`;

describe('the first start of a server', () => {
  test('makes secrets, and writes them to a ready file that only its owner can read', async () => {
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
    expect(ended.stdout).toContain(String(first.ready.operator_id));
    for (const secret of [first.ready.api_key, first.ready.service_token])
      expect(ended.stdout + ended.stderr).not.toContain(String(secret));
    expect(ended.stdout).toContain(`${first.url}/swagger`);

    const second = await serve(data);
    expect(second.ready).toMatchObject({
      operator_id: first.ready.operator_id,
      api_key: null,
      service_token: null,
    });
    expect((await client(fetch, second.url, first.apiKey).get('/api/v1/receipts')).status).toBe(200);
    const { stdout } = await second.stop();
    for (const secret of [first.ready.api_key, first.ready.service_token]) {
      expect(stdout).not.toContain(String(secret));
    }
    expect(stdout).toContain(`countersign operators key ${first.ready.operator_id} --admin --data ${data}`);
  });

  test('that could not listen has created nothing: the next one is the first', async () => {
    const blocker = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() });
    const { code } = await run(['serve', '--port', String(blocker.port), '--data', data]);
    await blocker.stop(true);
    expect([code, existsSync(join(data, 'trust.db'))]).toEqual([1, false]);
    const first = await serve(data);
    expect(first.ready.api_key).toMatch(/^pp_/);
    await first.stop();
  });

  test('writes the secrets that it makes to a file of its directory, and prints none without a terminal', async () => {
    const first = await serve(data);
    const { stdout, stderr } = await first.stop();
    const file = join(data, 'first-start.json');
    expect(stdout).toContain(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { operator_id, api_key, service_token } = first.ready;
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ operator_id, api_key, service_token });
    for (const secret of [api_key, service_token]) expect(stdout + stderr).not.toContain(String(secret));
    rmSync(file);
    const second = await serve(data);
    await second.stop();
    expect(existsSync(file)).toBe(false);
    rmSync(data, { recursive: true });
    const printing = await serve(data, {}, ['--print-secrets']);
    expect((await printing.stop()).stdout).toContain(`API key        ${printing.ready.api_key}`);
    expect(existsSync(file)).toBe(false);
  });

  test('refuses a directory in which every user may write, before anything is in it', async () => {
    mkdirSync(data);
    chmodSync(data, 0o1777);
    for (const args of [
      ['serve', '--port', '0'],
      ['migrate'],
      ['restore', EXECUTABLE],
      ['operators', 'list'],
      ['log', 'restart'],
    ]) {
      if (args[0] !== 'serve' && args[0] !== 'restore') writeFileSync(join(data, 'trust.db'), '');
      const { code, stderr } = await run([...args, '--data', data]);
      expect([args[0], code, stderr]).toEqual([args[0], 1, expect.stringContaining('(mode 1777)')]);
      expect(stderr).toContain('--allow-shared-data');
      rmSync(join(data, 'trust.db'), { force: true });
    }
    expect(readdirSync(data)).toEqual([]);
    const server = await serve(data, {}, ['--allow-shared-data']);
    const refused = await run(['operators', 'list', '--data', data]);
    expect(refused.stderr).toContain('every user of this machine may write in');
    const { code, stdout } = await run(['operators', 'list', '--data', data, '--allow-shared-data']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(String(server.ready.operator_id))]);
    expect((await server.stop()).stderr).toContain('writable by other users');
  });

  test('reads key and token from the environment, at every start', async () => {
    const env = { COUNTERSIGN_BOOTSTRAP_API_KEY: KEY, COUNTERSIGN_SERVICE_TOKEN: TOKEN };
    const first = await serve(data, env);
    expect(first.ready).toMatchObject({ api_key: KEY, service_token: TOKEN });
    const { stdout } = await first.stop();
    expect(stdout).toContain('API key        as configured\n  Service token  as configured\n');
    const second = await serve(data, env);
    expect(second.ready).toMatchObject({ api_key: KEY, service_token: TOKEN });
    expect((await client(fetch, second.url, KEY).issue()).status).toBe(201);
    await second.stop();
  });

  test('replaces an old ready file completely, and leaves no temporary file', async () => {
    const readyFile = join(directory.path, 'ready.json');
    const old = JSON.stringify({ pid: 0 });
    writeFileSync(readyFile, old, { mode: 0o644 });
    const opened = openSync(readyFile, 'r');
    const server = await start(['--port', '0', '--data', data, '--ready-file', readyFile], readyFile);
    // Who had the old file open still reads it: the new one took its name, not its bytes.
    expect(readFileSync(opened, 'utf8')).toBe(old);
    closeSync(opened);
    expect(statSync(readyFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory.path).sort()).toEqual(['data', 'ready.json']);
    expect((await server.stop()).code).toBe(0);
  });

  test('reads every setting from the environment, and a flag overrides it', async () => {
    const readyFile = join(directory.path, 'ready.json');
    const env = {
      COUNTERSIGN_SERVICE: 'trust',
      COUNTERSIGN_HOST: '127.0.0.2',
      COUNTERSIGN_PORT: '0',
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_READY_FILE: readyFile,
    };
    const plain = await start([], readyFile, env);
    expect(plain.url).toStartWith('http://127.0.0.2:');
    expect((await fetch(`${plain.url}/api/health`)).status).toBe(200);
    expect((await plain.stop()).stdout).toContain(data);
    const named = { ...env, COUNTERSIGN_SERVICE: 'staffing', COUNTERSIGN_BASE_URL: 'https://trust.example/' };
    const flagged = await start(['--service', 'trust'], readyFile, named);
    expect(flagged.ready).toMatchObject({ url: 'https://trust.example', service: 'trust', api_key: null });
    expect((await flagged.stop()).stdout).toContain('https://trust.example/swagger');
  });

  test('treats an empty setting as absent, and uses a private directory for :memory:', async () => {
    const readyFile = join(directory.path, 'ready.json');
    const env = { COUNTERSIGN_BOOTSTRAP_API_KEY: '', COUNTERSIGN_SERVICE_TOKEN: '' };
    const server = await start(
      ['--port', '0', '--data', ':memory:', '--ready-file', readyFile],
      readyFile,
      env,
    );
    expect(server.apiKey).toMatch(/^pp_[0-9a-f]{64}$/);
    expect((await client(fetch, server.url, server.apiKey).issue()).status).toBe(201);
    const { code, stdout } = await server.stop();
    const kept = /Data +(\/\S+)/.exec(stdout)?.[1] ?? '';
    expect([code, kept === '', existsSync(kept)]).toEqual([0, false, false]);
  });

  test.each([
    ['COUNTERSIGN_BOOTSTRAP_API_KEY', 'pp_short'],
    ['COUNTERSIGN_BOOTSTRAP_API_KEY', `pp_${'AB'.repeat(32)}`],
    ['COUNTERSIGN_BOOTSTRAP_API_KEY', TOKEN],
    ['COUNTERSIGN_SERVICE_TOKEN', `pp_${'34'.repeat(32)}`],
    ['COUNTERSIGN_PORT', '70000'],
    ['COUNTERSIGN_BASE_URL', 'ftp://example.org'],
  ])('refuses %s=%s', async (name, value) => {
    const { code, stderr } = await run(['serve', '--data', data], { env: { [name]: value } });
    expect(code).toBe(2);
    expect(stderr).toStartWith('countersign: error: ');
    expect(stderr).toContain('countersign: hint: ');
    if (name.endsWith('KEY') || name.endsWith('TOKEN')) expect(stderr).not.toContain(value);
    expect(existsSync(data)).toBe(false);
  });
});

describe('a server that cannot start prints the reason:', () => {
  const cannot = async (error: string, args: string[] = ['--data', data]): Promise<void> => {
    const { code, stdout, stderr } = await run(['serve', '--port', '0', ...args]);
    const lines = stderr.split('\n').filter((line) => line.startsWith('countersign: '));
    expect([code, stdout, lines]).toEqual([
      1,
      '',
      [expect.stringContaining(error), expect.stringMatching(/^countersign: hint: ./)],
    ]);
    expect(lines[0]).toStartWith('countersign: error: ');
  };

  test.each([
    ['stafing', 'is not a service'],
    ['nonsense', 'is not a service'],
  ])('service %s', async (service, reason) => {
    const { code, stderr } = await run(['serve', '--service', service, '--data', data]);
    expect([code, stderr]).toEqual([
      2,
      `countersign: error: ${service} ${reason}\ncountersign: hint: use --service trust or staffing\n`,
    ]);
    expect(existsSync(data)).toBe(false);
  });

  test.each([
    ['trust', ['--sample', '5'], 'sample', 'staffing'],
    ['staffing', ['--payouts-minimum=5'], 'payouts-minimum', 'trust'],
  ])('a flag that the %s service does not have', async (service, flag, name, other) => {
    const { code, stderr } = await run(['serve', '--service', service, ...flag, '--data', data]);
    expect([code, stderr]).toEqual([
      2,
      `countersign: error: --${name} is a setting of the ${other} service, and this is the ${service} service\n` +
        `countersign: hint: use --service ${other}, or leave --${name} out\n`,
    ]);
    expect(existsSync(data)).toBe(false);
  });

  test('a port that is taken, a data directory that is in use: the first goes on', async () => {
    const first = await serve(data);
    const port = new URL(first.url).port;
    const other = join(directory.path, 'other');
    await cannot(`port ${port} of 127.0.0.1 is in use`, ['--port', port, '--data', other]);
    await cannot('in use by another countersign');
    expect((await client(fetch, first.url, first.apiKey).issue()).status).toBe(201);
    expect((await first.stop()).code).toBe(0);
    const second = await serve(data);
    expect((await second.stop()).code).toBe(0);
  });

  test('an address that is none of this machine, a data directory that is a file', async () => {
    await cannot('cannot listen on 203.0.113.9:0', ['--host', '203.0.113.9', '--data', data]);
    writeFileSync(join(directory.path, 'file'), '');
    await cannot('cannot be made', ['--data', join(directory.path, 'file')]);
  });

  test('a database of a newer program, and one of another', async () => {
    await (await serve(data)).stop();
    const database = new Database(join(data, 'trust.db'));
    database.run("INSERT INTO schema_migration VALUES ('9999_future', 'x', 'now')");
    await cannot('newer than this program (it has 9999_future)');
    database.run("DELETE FROM schema_migration WHERE name = '9999_future'");
    database.run("UPDATE schema_migration SET sha256 = 'another'");
    await cannot('is not the one of this program');
    database.run('PRAGMA application_id = 1');
    database.close();
    await cannot('not one of the trust service');
  });

  test('a ready file that cannot be written: no process remains', async () => {
    const readyFile = join(directory.path, 'no/such.json');
    expect((await run(['serve', '--port', '0', '--data', data, '--ready-file', readyFile])).code).toBe(1);
    expect((await (await serve(data)).stop()).code).toBe(0);
  });

  test('a ready file where something else stands than a file: it stays', async () => {
    const elsewhere = join(directory.path, 'elsewhere');
    const link = join(directory.path, 'link');
    writeFileSync(elsewhere, 'kept');
    symlinkSync(elsewhere, link);
    for (const path of [link, directory.path]) {
      await cannot(`${path} exists and is not a regular file`, ['--data', data, '--ready-file', path]);
    }
    expect([readFileSync(elsewhere, 'utf8'), existsSync(data)]).toEqual(['kept', false]);
  });

  test('keys without their database: no new beginning over them', async () => {
    await (await serve(data)).stop();
    const database = join(data, 'trust.db');
    const good = readFileSync(database);
    writeFileSync(database, '');
    await cannot('has signing keys, but trust.db is empty');
    rmSync(database);
    await cannot('has signing keys, but trust.db is missing');
    writeFileSync(database, good);
    expect((await (await serve(data)).stop()).code).toBe(0);
  });

  test('a lock file that is damaged', async () => {
    await (await serve(data)).stop();
    writeFileSync(join(data, 'lock'), 'no database, and not short either'.repeat(99));
    await cannot(`${join(data, 'lock')} is damaged`);
  });

  test('a database that is damaged, or none at all', async () => {
    await (await serve(data)).stop();
    const database = join(data, 'trust.db');
    const good = readFileSync(database);
    writeFileSync(database, 'not a database, but long enough to be looked at'.repeat(200));
    await cannot(`${database} is damaged, or no database`);
    writeFileSync(database, Buffer.concat([good.subarray(0, 100), Buffer.alloc(good.length - 100, 0xff)]));
    await cannot(`${database} is damaged, or no database`);
  });

  test('a signing key that is damaged', async () => {
    await (await serve(data)).stop();
    const name = readdirSync(join(data, 'keys')).find((one) => one.endsWith('.pem')) ?? '';
    const file = join(data, 'keys', name);
    const pem = readFileSync(file, 'utf8');
    for (const text of ['', pem.slice(0, 60), pem.replace(/\n.*\n/, '\nAAAA\n')]) {
      writeFileSync(file, text);
      await cannot(`the signing key ${file} is damaged`);
    }
  });

  test('a signing key that is missing, open to others, or another', async () => {
    await (await serve(data)).stop();
    const keys = join(data, 'keys');
    const names = readdirSync(keys).filter((name) => name.endsWith('.pem'));
    expect(names).toHaveLength(REQUIRED_KEYS.length);
    const [first = '', second = ''] = names.map((name) => join(keys, name));
    for (const name of names) expect(statSync(join(keys, name)).mode & 0o777).toBe(0o600);
    for (const mode of [0o640, 0o604]) {
      chmodSync(first, mode);
      await cannot('can be read by other users');
    }
    chmodSync(first, 0o600);
    renameSync(first, `${first}.away`);
    await cannot('is missing');
    expect(existsSync(first)).toBe(false);
    renameSync(second, first);
    expect((await run(['serve', '--port', '0', '--data', data])).code).toBe(1);
    renameSync(first, second);
    renameSync(`${first}.away`, first);
    expect((await (await serve(data)).stop()).code).toBe(0);
  });
});

describe('a data directory whose lock was removed', () => {
  test('ends its server loudly, and what that answered is there', async () => {
    const server = await serve(data);
    const { body } = await client(fetch, server.url, server.apiKey).issue();
    rmSync(join(data, 'lock'));
    const { code, stderr } = await server.ended();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`the lock in ${data} was removed or replaced`),
    ]);
    const next = await serve(data);
    const path = `/api/v1/receipts/${body.receipt_id}`;
    expect((await client(fetch, next.url, server.apiKey).get(path)).body).toEqual(body);
    expect((await next.stop()).code).toBe(0);
  });

  test('lets another server start immediately, and the first one writes nothing from then on', async () => {
    const first = await serve(data);
    const former = client(fetch, first.url, first.apiKey);
    expect((await former.issue()).status).toBe(201);
    for (const name of ['lock', 'control.sock']) rmSync(join(data, name));
    const second = await serve(data);
    // Refused while it still answers; then it has ended.
    const refused = await former.issue().then(
      ({ status, body }) => [status, body.reason_code],
      () => null,
    );
    if (refused !== null) expect(refused).toEqual([503, 'storage_unavailable']);
    expect((await first.ended()).code).toBe(1);
    const api = client(fetch, second.url, first.apiKey);
    expect((await api.issue()).status).toBe(201);
    expect(Object((await api.get('/api/v1/receipts')).body).receipts).toHaveLength(2);
    // The way in for commands is the second's, and so it stays.
    expect((await run(['operators', 'list', '--data', data])).code).toBe(0);
    expect((await second.stop()).code).toBe(0);
    expect((await run(['fsck', '--data', data])).code).toBe(0);
  });
});

test('the log of a server holds no key, token, salt, body or input, whatever is asked', async () => {
  const server = await serve(data);
  const api = client(fetch, server.url, server.apiKey);
  const { body } = await api.issue({ blind: true, agent_id: 'agent-in-the-log' });
  await api.finalize(body.receipt_id, { status: 'refusal', refusal_reason: 'reason-in-the-log' });
  await api.finalize(body.receipt_id, { status: 'refusal', refusal_reason: 'reason-in-the-log' });
  await api.issue({ agent_id: { nested: 'agent-in-the-log' } });
  await api.call('POST', '/api/v1/receipts', '{"agent_id":"agent-in-the-log');
  const wrongKey = `pp_${'ee'.repeat(32)}`;
  expect((await client(fetch, server.url, wrongKey).issue()).status).toBe(401);
  expect((await api.get(`/nowhere?key=${wrongKey}`)).status).toBe(404);
  const { stdout, stderr } = await server.stop();
  const keys = readdirSync(join(data, 'keys')).map((name) => readFileSync(join(data, 'keys', name), 'utf8'));
  const secrets = [server.ready.api_key, server.ready.service_token, body.blind_salt, body.input_digest];
  const bodies = ['agent-in-the-log', 'reason-in-the-log', wrongKey, 'PRIVATE KEY'];
  for (const secret of [
    ...secrets,
    ...bodies,
    ...keys.map((text) => text.replace(/^-.*\n/, '').split('\n')[0]),
  ]) {
    expect(String(secret).length).toBeGreaterThan(8);
    expect(stderr).not.toContain(String(secret));
  }
  for (const secret of [body.blind_salt, ...bodies]) expect(stdout).not.toContain(String(secret));
  for (const line of stderr.trim().split('\n')) expect(Object.keys(JSON.parse(line))).toContain('msg');
});

/** A request to issue that has begun: its head is sent, its body waits for `rest`. */
async function begun(url: string, key: string): Promise<{ rest(): void; answer: Promise<string> }> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify(issueBody());
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.setEncoding('utf8').on('data', (part) => {
    heard += part;
  });
  const answer = new Promise<string>((resolve) => {
    socket.on('error', () => resolve(heard)).on('close', () => resolve(heard));
  });
  const head = [
    'POST /api/v1/receipts HTTP/1.1',
    `Host: ${hostname}:${port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  await new Promise<void>((sent) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 10)}`, () => sent());
  });
  // Answered on later connections: by then the service has read what stood before them.
  for (let turn = 0; turn < 3; turn++) {
    expect((await fetch(`${url}/api/health`, { keepalive: false })).status).toBe(200);
  }
  return { rest: () => void socket.write(body.slice(10)), answer };
}

describe('the end of a server', () => {
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

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s lets a request that has begun finish, and its receipt is kept',
    async (signal) => {
      const server = await serve(data);
      const { rest, answer } = await begun(server.url, server.apiKey);
      server.signal(signal);
      await server.logged('"msg":"stopping"');
      rest();
      const text = await answer;
      expect(text).toStartWith('HTTP/1.1 201 ');
      expect((await server.ended()).code).toBe(0);
      const again = await serve(data);
      const id = /rcpt_[0-9a-f]{32}/.exec(text)?.[0];
      const kept = await client(fetch, again.url, server.apiKey).get(`/api/v1/receipts/${id}`);
      expect([kept.status, kept.body.receipt_id]).toEqual([200, id ?? '']);
      await again.stop();
    },
  );

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('a second %s ends at once, with %d', async (signal, expected) => {
    const server = await serve(data);
    const { answer } = await begun(server.url, server.apiKey);
    server.signal(signal);
    await server.logged('"msg":"stopping"');
    const since = performance.now();
    expect((await server.stop(signal)).code).toBe(expected);
    expect(performance.now() - since).toBeLessThan(2000);
    expect(await answer).toBe('');
    const again = await serve(data);
    expect((await again.stop()).code).toBe(0);
  });
});

test.each(['', 'a b', '<script>', 'x:99999', '[::1', 'a@b', '%zz', 'a/b'])(
  'a request whose Host is "%s" is refused as any other bad request, and shows nothing of the program',
  async (host) => {
    const server = await serve(data);
    const text = await raw(server.url, `GET /api/health HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.[01] (?:200|400) /);
    expect(text).not.toContain('<html');
    const [, body = ''] = text.split('\r\n\r\n');
    if (body !== '')
      expect(Object.keys(JSON.parse(body))).toEqual(
        expect.arrayContaining([text.includes(' 400 ') ? 'reason_code' : 'status']),
      );
    await server.stop();
  },
);

test('a request with a short Host is served like any other', async () => {
  const server = await serve(data);
  for (const host of ['a', 'abc', 'api']) {
    const text = await raw(server.url, `GET /api/health HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
    expect(text).toStartWith('HTTP/1.1 200');
  }
  await server.stop();
});

/** What a connection answers to these bytes. */
function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<string>();
  let heard = '';
  const socket = connect(Number(port), hostname, () => socket.end(bytes));
  socket.setEncoding('utf8').on('data', (part) => {
    heard += part;
  });
  socket.on('close', () => resolve(heard)).on('error', () => resolve(heard));
  return promise;
}
