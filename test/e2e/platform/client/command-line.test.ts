import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../../support/process.ts';

/** Two services with data, and a user with a configuration directory of its own. */
let services: ReturnType<typeof scratch>;
let directory: ReturnType<typeof scratch>;
let trust: Running;
let staffing: Running;
beforeAll(async () => {
  services = scratch();
  const [first, second] = ['trust', 'staffing'].map((name) => join(services.path, name));
  trust = await serve(String(first), {}, ['--demo']);
  staffing = await serve(String(second), {}, ['--service', 'staffing', '--demo']);
});
afterAll(() => services.dispose());
beforeEach(() => {
  directory = scratch();
  keyFile('trust-key', trust.apiKey);
  keyFile('staffing-key', staffing.apiKey);
  keyFile('admin-token', String(staffing.ready.admin_token));
});
afterEach(() => directory.dispose());

const file = (name: string): string => join(directory.path, name);
const keyFile = (name: string, key: string): void => writeFileSync(file(name), `${key}\n`, { mode: 0o600 });
const command = (...args: string[]) => run(args, { env: { XDG_CONFIG_HOME: file('configuration') } });
const json = async (...args: string[]): Promise<Record<string, unknown>> => {
  const { code, stdout, stderr } = await command(...args);
  if (code !== 0) throw new Error(stderr);
  return Object(JSON.parse(stdout));
};
const login = (key = 'trust-key', ...args: string[]) =>
  command('login', key === 'trust-key' ? trust.url : staffing.url, '--api-key-file', file(key), ...args);

test('after a login, receipts are issued, finalized, listed, bundled and revoked on the service', async () => {
  const { code, stderr } = await login('trust-key', '--name', 'demo');
  expect(stderr).toBe(`logged in at ${trust.url} as ${trust.ready.operator_id}; the context is demo\n`);
  expect(code).toBe(0);
  writeFileSync(file('task.json'), 'hello');
  const scope = ['--agent', 'clerk', '--domain', 'CODE_GENERATION', '--scope', 'repo:write'];
  const issued = await json('receipts', 'issue', ...scope, '--input', file('task.json'), '--expires', '30d');
  expect(issued).toMatchObject({
    status: 'pending',
    receipt_type: 'custody',
    input_digest: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  });
  const id = String(issued.receipt_id);
  expect(await json('receipts', 'finalize', id, '--output-file', file('task.json'))).toMatchObject({
    status: 'success',
    output_hash: issued.input_digest,
  });
  const listed = await command('receipts', 'list', '--limit', '1', '--output', 'ndjson');
  expect(JSON.parse(listed.stdout).receipt_id).toBe(id);
  expect((await command('receipts', 'list', '--limit', '1')).stdout).toContain(id);
  expect(await json('receipts', 'bundle', id)).toMatchObject({ type: 'receipt-bundle' });
  const proof = await command('receipts', 'proof', id);
  expect(proof).toMatchObject({ code: 0, stderr: '' });
  expect(proof.stdout).toStartWith('c2sp.org/tlog-proof@v1\n');
  const asked = await command('receipts', 'revoke', id);
  expect(asked).toMatchObject({ code: 2, stdout: '' });
  expect(asked.stderr).toContain('there is no terminal');
  const revoked = await command('receipts', 'revoke', id, '--reason', 'a mistake', '--yes');
  expect(revoked.stderr).toBe(`${trust.url} (context demo)\n`);
  expect(JSON.parse(revoked.stdout)).toMatchObject({ revocation_status: 'revoked' });
});

test('a command that is repeated with its Idempotency-Key makes its change once', async () => {
  await login();
  const issue = (scope: string, ...more: string[]) =>
    command(
      ...['receipts', 'issue', '--agent', 'clerk', '--domain', 'CODE_GENERATION', '--scope', scope],
      ...['--input', file('trust-key'), '--expires', '2036-01-01T00:00:00Z', ...more],
    );
  const key = ['--idempotency', 'nightly-7'];
  const first = await issue('repo:write', ...key);
  expect(first.code).toBe(0);
  expect(await issue('repo:write', ...key)).toEqual(first);
  const other = await issue('repo:read', ...key);
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain('idempotency_key_reused');
  const local = await issue('repo:write', ...key, '--data', join(services.path, 'trust'));
  expect(local).toMatchObject({ code: 2, stdout: '' });
  expect(local.stderr).toContain('a data directory has no Idempotency-Keys');
  const without = await command('operator', 'keys', 'delete', 'ab'.repeat(32), '--yes', ...key);
  expect(without).toMatchObject({ code: 2, stdout: '' });
  expect(without.stderr).toContain('the service has no Idempotency-Keys for ');
});

test('a key from a pipe is stored, since its path names nothing after the login', async () => {
  const shell = `exec ${EXECUTABLE} login ${trust.url} --name piped --api-key-file <(cat ${file('trust-key')})`;
  const env = { ...process.env, XDG_CONFIG_HOME: file('configuration') };
  const child = Bun.spawn(['bash', '-c', shell], { env, stdout: 'ignore', stderr: 'ignore' });
  expect(await child.exited).toBe(0);
  expect((await command('operator', 'status', '--context', 'piped')).code).toBe(0);
  expect((await command('logout', 'piped')).code).toBe(0);
});

test('a proxy in the environment does not see the key of a service on this machine', async () => {
  await login();
  const seen: string[] = [];
  const proxy = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      seen.push(request.url);
      return new Response('', { status: 502 });
    },
  });
  const env = {
    XDG_CONFIG_HOME: file('configuration'),
    HTTP_PROXY: proxy.url.href,
    http_proxy: proxy.url.href,
  };
  const { code } = await run(['operator', 'status'], { env });
  await proxy.stop(true);
  expect(seen).toEqual([]);
  expect(code).toBe(0);
});

test('all pages of a list are written to a file that did not exist', async () => {
  await login();
  const { operator_id: id, receiptCount } = await json('operator', 'status');
  expect(id).toBe(trust.ready.operator_id);
  expect((await command('receipts', 'export', '--out', file('all.ndjson'))).code).toBe(0);
  const lines = readFileSync(file('all.ndjson'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(Number(receiptCount));
  expect((await command('receipts', 'export', '--out', file('all.ndjson'))).stderr).toContain(
    'already exists',
  );
  const all = await command('receipts', 'list', '--all', '--output', 'json');
  expect(JSON.parse(all.stdout)).toHaveLength(lines.length);
});

test('agents, evidence, credentials, credits, webhooks, keys and the gate are there, too', async () => {
  await login();
  const [first] = (await command('agents', 'list', '--output', 'ndjson')).stdout.split('\n');
  const agent = String(JSON.parse(String(first)).subject_commitment);
  expect(await json('agents', 'show', agent)).toMatchObject({ subject_commitment: agent });
  expect(await json('credits', 'show', agent)).toMatchObject({ subject_commitment: agent });
  expect(await json('credentials', 'get', agent)).toHaveProperty('proof');
  expect((await command('evidence', 'list', agent)).code).toBe(0);
  expect((await command('webhooks', 'list')).stdout).toContain('evidence.anchored');
  expect((await command('operator', 'keys', 'list')).stdout).toContain('admin');
  expect((await command('engagements', 'list', '--agent', agent)).code).toBe(0);
  const gate = await command('gate', 'check', String(trust.ready.operator_id), 'CODE_GENERATION');
  expect(gate).toMatchObject({ code: 0 });
});

test('clinicians are searched and requisitions submitted with the key of a partner', async () => {
  await login('staffing-key');
  const { stdout } = await command(
    'clinicians',
    'search',
    '--state',
    'CA',
    '--limit',
    '2',
    '--output',
    'ndjson',
  );
  const [clinician] = stdout.split('\n').map((line) => line && JSON.parse(line));
  expect(await json('clinicians', 'show', clinician.npi)).toEqual(clinician);
  expect(await json('me')).toMatchObject({ tier: 'sandbox' });
  writeFileSync(
    file('job.json'),
    JSON.stringify({ title: 'Night nurse', specialty: 'RN', state: 'CA', city: 'Fresno' }),
  );
  const none = await run(['requisitions', 'submit', '--data-file', '-'], {
    env: { XDG_CONFIG_HOME: file('configuration') },
    stdin: '[]',
  });
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining(
      'standard input contains no JSON object\ncountersign: hint: send one JSON object to it',
    ),
  ]);
  const submitted = await command('requisitions', 'submit', '--data-file', file('job.json'));
  expect({ code: submitted.code, error: submitted.code === 0 ? '' : submitted.stderr }).toEqual({
    code: 0,
    error: '',
  });
  const { id } = JSON.parse(submitted.stdout);
  expect(await json('requisitions', 'cancel', id)).toMatchObject({ status: 'cancelled' });
  await login('admin-token', '--name', 'admin');
  expect((await command('partners', 'list')).stdout).toContain('demo@prairie-staffing.example');
});

test('a login does not take the name of a context of another service', async () => {
  await login('trust-key', '--name', 'prod');
  const other = await login('staffing-key', '--name', 'prod');
  expect(other).toMatchObject({ code: 2, stdout: '' });
  expect(other.stderr).toContain(`the context prod is of ${trust.url}`);
  expect((await login('trust-key', '--name', 'prod')).code).toBe(0);
});

test('contexts are listed, used and removed, and a logout leaves a key file of the user', async () => {
  await login('trust-key', '--name', 'demo');
  await login('staffing-key', '--name', 'staff');
  const listed = await command('contexts', 'list', '--json');
  expect(
    listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { name: 'demo', current: false, service: 'trust', url: `${trust.url}/`, problem: null },
    { name: 'staff', current: true, service: 'staffing', url: `${staffing.url}/`, problem: null },
  ]);
  expect((await command('receipts', 'list')).stderr).toContain(
    'the context staff is of the staffing service',
  );
  expect((await command('receipts', 'list', '--context', 'demo')).code).toBe(0);
  expect((await command('contexts', 'use', 'demo')).code).toBe(0);
  expect((await command('receipts', 'list')).code).toBe(0);
  expect((await command('logout')).stderr).toBe('removed the context demo\n');
  expect((await command('contexts', 'remove', 'staff')).code).toBe(0);
  expect((await command('contexts', 'list')).stdout).toBe('CURRENT  NAME  SERVICE  URL\n');
  expect(statSync(file('trust-key')).isFile()).toBe(true);
});

test('nothing that a login stores can be read by others', async () => {
  await login();
  const configuration = file('configuration/countersign');
  const names = readdirSync(configuration, { recursive: true }).map(String);
  expect(names.toSorted()).toEqual([
    'contexts',
    `contexts/${new URL(trust.url).host.replace(':', '-')}.json`,
    'current-context',
  ]);
  for (const name of names) expect(statSync(join(configuration, name)).mode & 0o077).toBe(0);
});

describe('a login is refused', () => {
  test.each<[string, () => Promise<string[]>, number, string]>([
    ['with a key that the service does not know', async () => [trust.url, wrongKey()], 3, 'unauthorized'],
    ['with a key file that others can read', async () => [trust.url, openKey()], 2, 'other users can read'],
    ['with a file that does not exist', async () => [trust.url, file('none')], 2, 'does not exist'],
    ['where nothing listens', async () => ['http://127.0.0.1:1', file('trust-key')], 7, 'cannot be reached'],
    ['over http to another machine', async () => ['http://trust.example', file('trust-key')], 2, 'over http'],
  ])('%s', async (_, given, exitCode, message) => {
    const [url = '', key = ''] = await given();
    const { code, stderr } = await command('login', url, '--api-key-file', key);
    expect(stderr).toContain(message);
    expect(code).toBe(exitCode);
    expect((await command('contexts', 'list')).stdout).toBe('CURRENT  NAME  SERVICE  URL\n');
  });

  function wrongKey(): string {
    keyFile('wrong', `pp_${'0'.repeat(64)}`);
    return file('wrong');
  }

  function openKey(): string {
    chmodSync(file('trust-key'), 0o644);
    return file('trust-key');
  }

  test('without a terminal to ask for the key at', async () => {
    expect((await command('login', trust.url)).stderr).toContain('use --api-key-file');
  });
});

test.each([
  [['receipts', 'show', 'rcpt_none'], 4, 'receipt_not_found'],
  [['receipts', 'issue', '--agent', 'clerk'], 2, '--scope is required'],
  [['credits', 'grant', 'ab'.repeat(32), '5', '--yes'], 3, 'agent_not_enrolled'],
  [['receipts', 'list', '--operator', 'op_cus_x'], 2, 'leave --operator out'],
  [['receipts', 'list', '--data', 'x'], 1, 'there is no trust.db'],
  [['operators', 'list'], 2, 'is the current login context'],
  [['receipts', 'list', '--limit', '3', '--all'], 2, '--limit and --all contradict each other'],
  [
    ['receipts', 'finalize', 'rcpt_x', '--status', 'success', '--reason', 'x'],
    2,
    '--reason does not belong to --status success',
  ],
  [['login', 'http://127.0.0.1:1/api/v1'], 2, 'leave /api/v1 out'],
  [['me', '--data', 'x'], 2, 'This command needs the key of a service'],
  [['clinicians', 'search'], 2, 'this is a command of the staffing service'],
])('%p exits with the class of its error and says why', async (args, exitCode, message) => {
  await login('trust-key', '--name', 'demo');
  const { code, stderr } = await command(...args);
  expect(stderr).toContain(message);
  expect(code).toBe(exitCode);
});

test('a key that was deleted since the login is refused, and says what to do', async () => {
  await login('trust-key', '--name', 'demo');
  const { api_key: key } = await json('operator', 'keys', 'create', '--name', 'short', '--yes');
  keyFile('short', String(key));
  expect((await command('login', trust.url, '--api-key-file', file('short'), '--name', 'short')).code).toBe(
    0,
  );
  const { stdout } = await command('operator', 'keys', 'list', '--output', 'ndjson');
  const own = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ name }) => name === 'short');
  expect((await command('operator', 'keys', 'delete', own.keyHash, '--context', 'demo', '--yes')).code).toBe(
    0,
  );
  const { code, stderr } = await command('receipts', 'list');
  expect(code).toBe(3);
  expect(stderr).toContain('countersign login');
});
