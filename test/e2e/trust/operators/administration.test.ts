import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client } from '../../../support/client.ts';
import { EXECUTABLE, run, scratch, serve } from '../../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let data: string;
beforeEach(() => {
  directory = scratch();
  data = join(directory.path, 'data');
});
afterEach(() => directory.dispose());

const file = (name: string): string => join(directory.path, name);
const response = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await run([...args, '--data', data]);
  if (code !== 0) throw new Error(stderr);
  return Object(JSON.parse(stdout));
};

/** What an administrator does in a day; the last operator's key and id are given back. */
async function aDaysWork(): Promise<{ key: string; id: string }> {
  const { operator_id: id, api_key: key } = await response(
    'operators',
    'create',
    '--yes',
    '--name',
    'Acme & Söhne',
  );
  const operator = String(id);
  expect(await response('operators', 'stake', '--yes', operator, '250000')).toMatchObject({
    stakeBalanceCents: 250_000,
  });
  expect(await response('operators', 'suspend', operator)).toMatchObject({ accountStatus: 'SUSPENDED' });
  expect(await response('operators', 'activate', operator)).toMatchObject({ accountStatus: 'ACTIVE' });
  expect(await response('operators', 'pardon', operator)).toMatchObject({ operator_id: operator });
  const linked = await response('operators', 'link', operator);
  expect(linked).toMatchObject({ operator_id: operator, linked: true, sequence: 1 });
  expect(await response('operators', 'link', operator)).toEqual(linked);
  expect(await response('operators', 'link', operator, '--off')).toMatchObject({
    linked: false,
    sequence: 2,
  });
  const holder = await response(
    'operators',
    'key',
    '--yes',
    operator,
    '--holder',
    'ab'.repeat(32),
    '--name',
    'agent',
  );
  expect(holder).toMatchObject({ role: 'holder', subject_commitment: 'ab'.repeat(32), admin: false });
  expect(await response('operators', 'key', '--yes', operator, '--admin')).toMatchObject({
    role: 'issuer',
    admin: true,
  });
  const { stdout } = await run(['operators', 'list', '--data', data]);
  expect(stdout).toContain('Acme & Söhne');
  expect(stdout).not.toContain(String(key));
  const lines = (await run(['operators', 'list', '--output', 'ndjson', '--all', '--data', data])).stdout
    .trim()
    .split('\n');
  const listed: unknown[] = lines.map((line) => JSON.parse(line));
  expect(listed).toContainEqual(expect.objectContaining({ operator_id: id, apiKeyCount: 3 }));
  const listing = await run(['operators', 'keys', 'list', operator, '--data', data]);
  const [head = '', ...rows] = listing.stdout.trim().split('\n');
  expect([head.split(/ {2,}/), rows.length]).toEqual([
    ['KEY HASH', 'ROLE', 'AGENT', 'LAST USED', 'CREATED', 'NAME'],
    3,
  ]);
  const admin = rows.find((row) => row.includes(' admin '))?.slice(0, 64) ?? '';
  const deleted = await run(['operators', 'keys', 'delete', '--yes', operator, admin, '--data', data]);
  expect([deleted.code, deleted.stderr, JSON.parse(deleted.stdout)]).toMatchObject([
    0,
    `${data}\n`,
    { keyHash: admin, deleted: true },
  ]);
  return { key: String(key), id: operator };
}

describe('countersign operators', () => {
  test('works while the server runs, with immediate effect', async () => {
    const server = await serve(data);
    const { key, id } = await aDaysWork();
    const caller = client(fetch, server.url, key);
    expect((await caller.issue()).status).toBe(201);
    await run(['operators', 'suspend', id, '--data', data]);
    expect((await caller.issue()).body).toMatchObject({ reason: 'OPERATOR_SUSPENDED' });
    await run(['operators', 'activate', id, '--data', data]);
    expect((await caller.issue()).status).toBe(201);
    expect((await caller.get('/api/v1/operator/status')).body).toMatchObject({
      stakeBalanceCents: 250_000,
      receiptCount: 2,
    });
    expect((await server.stop()).code).toBe(0);
  });

  test('works without a server, with effect when one starts', async () => {
    await (await serve(data)).stop();
    const { key } = await aDaysWork();
    const server = await serve(data);
    expect((await client(fetch, server.url, key).issue()).status).toBe(201);
    await server.stop();
  });

  test('returns the same errors with and without a server, and changes nothing', async () => {
    const server = await serve(data);
    const complaints = async () =>
      Promise.all(
        [
          ['suspend', 'op_cus_nobody'],
          ['link', 'op_cus_nobody'],
          ['stake', '--yes', String(server.ready.operator_id), '-1'],
          ['stake', '--yes', String(server.ready.operator_id), '1.5'],
          ['key', '--yes', String(server.ready.operator_id), '--holder', 'short'],
          ['key', '--yes', String(server.ready.operator_id), '--holder', 'ab'.repeat(32), '--admin'],
          ['create', '--yes', '--name', ''],
          ['create', '--yes', '--name', 'a\tb'],
          ['nope'],
        ].map(async (args) => {
          const { code, stdout, stderr } = await run(['operators', ...args, '--data', data]);
          return [args[0], code, stdout, stderr];
        }),
      );
    const beside = await complaints();
    for (const [, code, stdout, stderr] of beside) {
      expect(code).toBeOneOf([2, 4]);
      expect(stdout).toBe('');
      expect(stderr).toContain('countersign: error: ');
    }
    await server.stop();
    // One at a time: alone, each holds the data directory.
    for (const [index, args] of [
      ['suspend', 'op_cus_nobody'],
      ['key', '--yes', String(server.ready.operator_id), '--holder', 'short'],
      ['key', '--yes', String(server.ready.operator_id), '--holder', 'ab'.repeat(32), '--admin'],
      ['create', '--yes', '--name', ''],
    ].entries()) {
      const { code, stderr } = await run(['operators', ...args, '--data', data]);
      const [, theirs, , output] = beside[[0, 4, 5, 6][index] ?? 0] ?? [];
      expect([code, stderr]).toEqual([Number(theirs), String(output)]);
    }
    const { stdout } = await run(['operators', 'list', '--output', 'ndjson', '--all', '--data', data]);
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });

  test('tells of a last key that is deleted with the way back, which works', async () => {
    const server = await serve(data);
    const id = String(server.ready.operator_id);
    const { stdout } = await run([
      'operators',
      'keys',
      'list',
      id,
      '--output',
      'ndjson',
      '--all',
      '--data',
      data,
    ]);
    const { keyHash } = JSON.parse(stdout);
    const { stderr } = await run(['operators', 'keys', 'delete', '--yes', id, keyHash, '--data', data]);
    expect(stderr.trimEnd().split('\n')).toEqual([
      data,
      `${id} has no issuer key left: create one with countersign operators key ${id}`,
      `no active operator has an admin key left: create one with countersign operators key ${id} --admin`,
    ]);
    const again = await response('operators', 'key', '--yes', id, '--admin');
    const caller = client(fetch, server.url, String(again.api_key));
    expect((await caller.get('/api/v1/operator/status')).status).toBe(200);
    await server.stop();
  });

  test('makes nothing in a directory that is none', async () => {
    const { code, stderr } = await run(['operators', 'list', '--data', file('nowhere')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no trust.db in')]);
    expect(statSync(file('nowhere'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('is refused to every other user', async () => {
    const server = await serve(data);
    const modeOf = (path: string): number => statSync(path).mode & 0o777;
    expect([modeOf(data), modeOf(join(data, 'control.sock'))]).toEqual([0o700, 0o600]);
    // Only root may try as somebody else. The executable goes where everybody reaches it.
    if (process.getuid?.() === 0) {
      const open = mkdtempSync(join(tmpdir(), 'countersign-open-'));
      chmodSync(open, 0o755);
      copyFileSync(EXECUTABLE, join(open, 'countersign'));
      chmodSync(join(open, 'countersign'), 0o755);
      chmodSync(directory.path, 0o755);
      const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
      for (const args of [
        ['operators', 'list'],
        ['operators', 'create', '--yes'],
        ['backup', join(open, 'stolen.db')],
        ['serve', '--port', '0'],
      ]) {
        const child = Bun.spawn([...nobody, join(open, 'countersign'), ...args, '--data', data], {
          stdout: 'pipe',
          stderr: 'pipe',
        });
        const [stdout, stderr, code] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
          child.exited,
        ]);
        expect([args, code, stdout]).toEqual([args, 1, '']);
        expect(stderr).toContain('countersign: error: ');
      }
      rmSync(open, { recursive: true });
    }
    await server.stop();
  });
});

describe('countersign config', () => {
  test('shows the effective values, their sources and overridden values, and no secret', async () => {
    const secret = `pp_${'cd'.repeat(32)}`;
    writeFileSync(file('key'), `${secret}\n`, { mode: 0o600 });
    writeFileSync(
      file('c.toml'),
      'port = 4000\nlog_level = "warn"\n[gate.minimum_stake]\ncode_generation = 100\n',
    );
    const env = {
      COUNTERSIGN_CONFIG: file('c.toml'),
      COUNTERSIGN_PORT: '5000',
      COUNTERSIGN_BOOTSTRAP_API_KEY_FILE: file('key'),
    };
    const { code, stdout } = await run(['config', '--json', '--port', '6000'], { env });
    const rows: { key: string }[] = JSON.parse(stdout);
    const row = (key: string) => rows.find((candidate) => candidate.key === key);
    expect(code).toBe(0);
    expect(row('port')).toEqual({
      key: 'port',
      value: '6000',
      source: '--port',
      overridden: [
        { value: '5000', source: 'COUNTERSIGN_PORT' },
        { value: '4000', source: file('c.toml') },
      ],
    } as object as { key: string });
    expect(row('log_level')).toMatchObject({ value: 'warn', source: file('c.toml') });
    expect(row('gate.minimum_stake.code_generation')).toMatchObject({ value: '100' });
    expect(row('host')).toMatchObject({ value: '127.0.0.1', source: 'default' });
    expect(row('bootstrap_api_key')).toMatchObject({
      value: '********',
      source: 'COUNTERSIGN_BOOTSTRAP_API_KEY_FILE',
    });
    const table = await run(['config', '--port', '6000'], { env });
    expect(table.stdout).toMatch(
      /^port +6000 +--port \(not 5000 from COUNTERSIGN_PORT, 4000 from .*c\.toml\)$/m,
    );
    for (const text of [stdout, table.stdout]) expect(text).not.toContain(secret);
  });

  test('names a problem and its source, and nothing starts', async () => {
    writeFileSync(file('syntax.toml'), 'port = 1\nhost = \n');
    writeFileSync(file('unknown.toml'), 'prot = 1\n');
    writeFileSync(file('number.toml'), 'port = 70000\n');
    writeFileSync(file('secret.toml'), `service_token = "svc_${'ab'.repeat(32)}"\n`, { mode: 0o644 });
    chmodSync(file('secret.toml'), 0o644);
    mkdirSync(file('directory'));
    for (const [args, env, message] of [
      [['--config', file('syntax.toml')], {}, /syntax.toml, line 2/],
      [['--config', file('unknown.toml')], {}, /prot is not a setting\n.*did you mean port\?/],
      [['--config', file('number.toml')], {}, /port "70000" is not .*number.toml/],
      [
        ['--config', file('secret.toml')],
        {},
        /secret.toml contains service_token and is accessible to other users/,
      ],
      [['--config', file('missing.toml')], {}, /missing.toml cannot be read/],
      [['--config', file('directory')], {}, /directory cannot be read/],
      [[], { COUNTERSIGN_SERVICE_TOKEN_FILE: file('none') }, /none of service_token cannot be read/],
      [['--trusted-proxies', '10.0.0.0/99'], {}, /trusted_proxies/],
      [['--rate-limits', 'maybe'], {}, /rate_limits "maybe"/],
      [['--tls-cert', file('x.crt')], {}, /tls_key is not set/],
    ] as const) {
      const { code, stderr } = await run(['serve', '--data', data, ...args], { env });
      expect(code).toBeOneOf([2, 4]);
      expect(stderr).toMatch(message);
    }
    expect(statSync(data, { throwIfNoEntry: false })).toBeUndefined();
    const typo = await run(['config'], { env: { COUNTERSIGN_PROT: '1' } });
    expect([typo.code, typo.stderr]).toEqual([
      0,
      'countersign: warning: COUNTERSIGN_PROT is not a setting; did you mean COUNTERSIGN_PORT?\n',
    ]);
  });
});
