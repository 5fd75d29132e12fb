import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { client, issueBody } from '../../support/client.ts';
import { EXECUTABLE, type Running, run, scratch, start } from '../../support/process.ts';
import { eventually } from '../../support/virtual-time.ts';

const VERIFY = join(import.meta.dir, '../../../src/tools/python/verify.py');

let directory: ReturnType<typeof scratch>;
beforeEach(() => {
  directory = scratch();
});
afterEach(() => directory.dispose());

/** Starts a test service. @param args further options */
function serveTest(args: string[] = []): Promise<Running> {
  const readyFile = join(directory.path, 'ready.json');
  return start(['--test', '--port', '0', '--ready-file', readyFile, ...args], readyFile);
}

/** Returns the temporary data directory that a start announces. */
const dataOf = (stdout: string): string => /Data {2,}(\S+)/.exec(stdout)?.[1] ?? '';

/** Returns whether a process runs. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.each(['trust', 'staffing'])(
  'the %s service with --test says TEST wherever it says what it is',
  async (name) => {
    const server = await serveTest(['--service', name, '--clock', '2026-01-01T00:00:00Z']);
    expect(server.ready).toMatchObject({ service: name, test: true });
    expect(await (await fetch(`${server.url}/api/health`)).json()).toMatchObject({
      status: 'ok',
      test: true,
    });
    const headers = { authorization: `Bearer ${server.ready.admin_token ?? server.ready.api_key}` };
    const clock = await fetch(`${server.url}/_test/clock`, { headers });
    expect([clock.status, await clock.json()]).toEqual([
      200,
      { now: '2026-01-01T00:00:00.000Z', runs: false },
    ]);
    for (const path of ['/', '/swagger'])
      expect(await (await fetch(server.url + path)).text()).toContain(
        'TEST: this service was started with --test',
      );
    const { code, stdout } = await server.stop();
    expect([code, existsSync(dataOf(stdout))]).toEqual([0, false]);
    expect(stdout).toContain('TEST: this service was started with --test');
    expect(existsSync(server.readyFile)).toBe(false);
  },
);

test('both verifiers say TEST of what a test service signed', async () => {
  const server = await serveTest();
  const own = client(fetch, server.url, server.apiKey);
  const { body: issued } = await own.post('/api/v1/receipts', issueBody());
  await own.finalize(issued.receipt_id, { status: 'success', output_hash: String(issued.input_digest) });
  await own.post('/_test/clock', { advance: '1h' });
  const save = async (path: string, name: string): Promise<string> => {
    const file = join(directory.path, name);
    const response = await fetch(server.url + path, {
      headers: { authorization: `Bearer ${server.apiKey}` },
    });
    writeFileSync(file, await response.text());
    return file;
  };
  const keys = await save('/api/v1/transparency/keys', 'keys.json');
  const at = new Date(Date.now() + 3_600_000).toISOString();
  const files = [
    await save(`/api/v1/receipts/${issued.receipt_id}/bundle`, 'bundle.json'),
    await save(`/api/v1/receipts/${issued.receipt_id}`, 'receipt.json'),
  ];
  for (const file of files) {
    const ours = await run(['verify', file, '--keys', keys, '--at', at]);
    const python = Bun.spawnSync(['python3', VERIFY, file, '--keys', keys, '--at', at]);
    const results = [JSON.parse(ours.stdout), JSON.parse(python.stdout.toString())];
    expect(results[1]).toMatchObject({ test: true, sentence: results[0].sentence });
    expect(results[0]).toMatchObject({
      test: true,
      sentence: expect.stringMatching(/^TEST: a test service signed/),
    });
    expect(ours.stderr).toContain('TEST: a test service signed this, which proves nothing.');
  }
  await server.stop();
});

describe('serve --test is refused', () => {
  test.each([
    [['--data', '.'], 'data . contradicts --test'],
    [['--data', 'nowhere/at/all'], 'contradicts --test'],
    [['--host', '0.0.0.0'], 'host 0.0.0.0 contradicts --test'],
    [['--log-origin', 'acme.example'], 'log.origin acme.example contradicts --test'],
    [['--demo'], '--test and --demo contradict each other'],
    [['--clock', 'tomorrow'], '--clock tomorrow is not the start of a clock'],
    [['--clock', '9999-01-01T00:00:00Z'], 'is not the start of a clock'],
  ])('with %p', async (args, message) => {
    const { code, stderr } = await run(['serve', '--test', '--port', '0', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('by the environment of a service with data', async () => {
    const env = { COUNTERSIGN_DATA: directory.path };
    const { code, stderr } = await run(['serve', '--test', '--port', '0'], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('contradicts --test')]);
  });

  test('and its clock and names without it', async () => {
    const clock = await run(['serve', '--clock', '+1h']);
    expect([clock.code, clock.stderr]).toEqual([2, expect.stringContaining('--clock needs --test')]);
    const origin = await run([
      'serve',
      '--port',
      '0',
      '--data',
      ':memory:',
      '--log-origin',
      'test.invalid/1',
    ]);
    expect([origin.code, origin.stderr]).toEqual([2, expect.stringContaining('is that of a test service')]);
    const data = join(directory.path, 'copied');
    mkdirSync(data);
    writeFileSync(join(data, 'test-service'), 'trust\n');
    const copied = await run(['serve', '--port', '0', '--data', data]);
    expect([copied.code, copied.stderr]).toEqual([2, expect.stringContaining('contains a test service')]);
  });
});

test('a fault loses the response of a request that was performed, over the network', async () => {
  const server = await serveTest();
  const own = client(fetch, server.url, server.apiKey);
  await own.post('/_test/faults', { operation: 'issueReceipt', count: 2, lose_response: true });
  await expect(own.post('/api/v1/receipts', issueBody())).rejects.toMatchObject({ code: 'ECONNRESET' });
  // A client that shows what arrives: nothing, and then the end of the connection.
  const body = JSON.stringify(issueBody());
  const arrived = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
      socket.write(
        `POST /api/v1/receipts HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${server.apiKey}\r\n` +
          `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      ),
    );
    socket.on('data', (part) => (text += part.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
  expect(arrived).toBe('');
  const { body: list } = await own.get('/api/v1/receipts');
  expect(list.receipts).toHaveLength(2);
  expect((await own.post('/api/v1/receipts', issueBody())).status).toBe(201);
  const { stderr } = await server.stop();
  expect(stderr).not.toContain('"level":"error"');
});

test('two test services run at the same time, each with its own data', async () => {
  const one = await serveTest();
  const readyFile = join(directory.path, 'other.json');
  const other = await start(['--test', '--port', '0', '--ready-file', readyFile], readyFile);
  await client(fetch, one.url, one.apiKey).post('/_test/reset');
  expect((await client(fetch, other.url, one.apiKey).get('/_test/clock')).status).toBe(401);
  expect((await client(fetch, other.url, other.apiKey).get('/_test/clock')).status).toBe(200);
  const ended = await Promise.all([one.stop(), other.stop()]);
  expect(dataOf(ended[0].stdout)).not.toBe(dataOf(ended[1].stdout));
});

test('a test service ends when the process that started it was killed, and leaves nothing', async () => {
  const readyFile = join(directory.path, 'ready.json');
  const out = join(directory.path, 'out.txt');
  const command = `"${EXECUTABLE}" serve --test --port 0 --ready-file "${readyFile}" > "${out}" 2>&1 & wait`;
  const runner = Bun.spawn(['sh', '-c', command]);
  await eventually(() => existsSync(readyFile));
  const { pid } = await Bun.file(readyFile).json();
  const data = dataOf(await Bun.file(out).text());
  expect([isRunning(pid), existsSync(data)]).toEqual([true, true]);
  runner.kill('SIGKILL');
  await runner.exited;
  await eventually(() => !isRunning(pid));
  expect([existsSync(data), existsSync(readyFile)]).toEqual([false, false]);
  expect(await Bun.file(out).text()).toContain('the process that started this test service has ended');
});
