import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, DIGEST } from '../../support/client.ts';
import { EXECUTABLE, run, scratch, serve } from '../../support/process.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
const [receipt, keys, key] = [file('receipt.json'), file('keys.json'), file('agent.pem')];
/** A pipe without a writer. */
const pipe = file('pipe');

beforeAll(async () => {
  Bun.spawnSync(['mkfifo', '-m', '600', pipe]);
  const server = await serve(file('data'));
  const api = client(fetch, server.url, server.apiKey);
  const issued = await api.issue();
  const finalized = await api.finalize(issued.body.receipt_id, { status: 'success', output_hash: DIGEST });
  writeFileSync(receipt, JSON.stringify(finalized.body));
  writeFileSync(keys, JSON.stringify((await api.get('/api/v1/transparency/keys')).body));
  await server.stop();
  await run(['keygen', '--out', key]);
  mkdirSync(file('tiles/revocations'), { recursive: true });
  Bun.spawnSync(['mkfifo', file('tiles/revocations/checkpoint')]);
});
afterAll(() => directory.dispose());

interface Call {
  args: string[];
  env?: Record<string, string>;
}

/** Every argument and setting that names a file to read, with `path` for it. */
function callsWith(path: string): Call[] {
  const verify = (...args: string[]): Call => ({ args: ['verify', receipt, '--keys', keys, ...args] });
  const start = (...args: string[]): Call => ({
    args: ['serve', '--port', '0', '--data', file(`new-${crypto.randomUUID()}`), ...args],
  });
  const passphrase = { COUNTERSIGN_KEYS_PASSPHRASE: 'at least four random words' };
  const restored = ['--data', file('restored')];
  return [
    { args: ['verify', path, '--keys', keys] },
    { args: ['verify', receipt, '--keys', path] },
    { args: ['credential', 'verify', path, '--keys', keys] },
    verify('--proof', path),
    verify('--status', path),
    verify('--proof', receipt, '--log-key', path),
    { args: ['sign', path, '--key', key] },
    { args: ['sign', receipt, '--key', path] },
    { args: ['enroll', 'http://127.0.0.1:1', '--key', path] },
    { args: ['enroll', 'http://127.0.0.1:1', '--key', key, '--api-key-file', path] },
    { args: ['config', '--config', path] },
    { args: ['config'], env: { COUNTERSIGN_SERVICE_TOKEN_FILE: path } },
    start('--tls-cert', path, '--tls-key', path),
    start('--log-witness-policy', path),
    { args: ['restore', path, ...restored] },
    { args: ['keys', 'restore', path, ...restored], env: passphrase },
  ];
}

async function outcomes(calls: readonly Call[]) {
  return Promise.all(
    calls.map(async ({ args, env = {} }) => {
      const { code, stderr } = await run(args, { env });
      return { args, isRefused: code === 1 || code === 2, stderr };
    }),
  );
}

describe('a file that is named anywhere', () => {
  test('is not waited for longer than ten seconds when it is a pipe that nobody writes', async () => {
    const calls = callsWith(pipe);
    calls.push(
      { args: ['verify', receipt, '--keys', keys, '--revocations', file('tiles')] },
      { args: ['keygen', '--out', pipe] },
      { args: ['serve', '--port', '0', '--data', file('never'), '--log-file', pipe] },
      { args: ['serve', '--port', '0', '--data', file('never'), '--ready-file', pipe] },
    );
    for (const { args, isRefused, stderr } of await outcomes(calls)) {
      expect([args, isRefused]).toEqual([args, true]);
      expect(stderr).toMatch(/is a pipe|not a regular file|already exists/);
    }
  }, 180_000);

  test.each([
    ['a device that never ends', '/dev/zero', /is a device|not a regular file|other users/],
    ['a directory', directory.path, /is a directory|not a regular file|other users/],
  ])(
    'is refused at once when it is %s',
    async (_, path, message) => {
      for (const { args, isRefused, stderr } of await outcomes(callsWith(path))) {
        expect([args, isRefused]).toEqual([args, true]);
        expect(stderr).toMatch(message);
      }
    },
    180_000,
  );

  test('may be a pipe that somebody writes, as shells give it for <(command)', async () => {
    const writers = [receipt, keys].map((path, index) => {
      const fifo = file(`written-${index}`);
      Bun.spawnSync(['mkfifo', fifo]);
      return { fifo, writer: Bun.spawn(['sh', '-c', 'exec cat "$0" > "$1"', path, fifo]) };
    });
    const [first = '', second = ''] = writers.map(({ fifo }) => fifo);
    const { code, stderr } = await run(['verify', first, '--keys', second]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^valid: /)]);
    for (const { writer } of writers) expect(await writer.exited).toBe(0);
    const line = 'cat "$1" | "$0" verify /dev/stdin --keys "$2"';
    const child = Bun.spawn(['sh', '-c', line, EXECUTABLE, receipt, keys], {
      stdout: 'ignore',
      stderr: 'pipe',
    });
    expect(await new Response(child.stderr).text()).toStartWith('valid: ');
    expect(await child.exited).toBe(0);
  });

  test('may be the configuration, which a command looks at twice', async () => {
    const fifo = file('configuration');
    Bun.spawnSync(['mkfifo', fifo]);
    const writer = Bun.spawn(['sh', '-c', 'echo "port = 4000" > "$0"', fifo]);
    const { code, stdout } = await run(['config', '--config', fifo]);
    expect([code, await writer.exited]).toEqual([0, 0]);
    expect(stdout).toMatch(/^port +4000 +\S+configuration$/m);
  });
});
