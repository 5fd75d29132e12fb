import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../../../support/mcp/clients.ts';
import { type Piped, piped } from '../../../../support/mcp/wrapper.ts';
import { EXECUTABLE, type Running, run, scratch, serve } from '../../../../support/process.ts';

const { path, dispose } = scratch();
const KEY = join(path, 'key');
const SERVER = [process.execPath, join(import.meta.dir, '../../../../support/mcp/server-v2.ts')];
/** Nothing listens there. */
const NOWHERE = ['--url', 'http://127.0.0.1:9'];
let service: Running;

beforeAll(async () => {
  service = await serve(join(path, 'data'));
  writeFileSync(KEY, service.apiKey, { mode: 0o600 });
});
afterAll(async () => {
  await service.stop();
  dispose();
});

const stateOf = (name: string) => join(path, 'state', name);
const envOf = (name: string) => ({ HOME: path, XDG_STATE_HOME: stateOf(name) });
const there = () => ['--url', service.url, '--api-key-file', KEY];

/** Starts a wrapped shell command. */
const wrapped = (script: string, { options = NOWHERE, name = 'none' } = {}): Piped =>
  piped([EXECUTABLE, 'mcp', ...options, '--', 'sh', '-c', script], envOf(name));

async function receiptsOf(agent: string): Promise<Record<string, unknown>[]> {
  const url = `${service.url}/api/v1/receipts?limit=100&agent_id=${agent}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${service.apiKey}` } });
  return Object(await response.json()).receipts.toReversed();
}
const statesOf = async (agent: string) =>
  (await receiptsOf(agent)).map(({ authority_scope, status, terminal_reason }) =>
    [authority_scope, status, terminal_reason].filter(Boolean).join(' '),
  );

const callLine = (id: unknown, name = 'x') =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })}\n`;
/** Returns each line, and the result of each call with the id 1. */
const RESPOND = `while read -r line; do case "$line" in *tools/call*) echo '{"jsonrpc":"2.0","id":1,"result":{}}';; *) echo "$line";; esac; done`;

describe('a wrapped process', () => {
  const ends: [what: string, script: string, end: object][] = [
    ['ends with the exit code of the server', 'exit 7', { code: 7, signal: null }],
    ['ends by the signal of the server', 'kill -TERM $$', { code: null, signal: 'SIGTERM' }],
    ['ends by a kill of the server', 'kill -KILL $$', { code: null, signal: 'SIGKILL' }],
  ];
  test.each(ends)('%s', async (_, script, end) => {
    expect<object>(await wrapped(script).ended).toEqual(end);
  });

  test.each([
    ['nothing-has-this-name', 127, 'does not exist'],
    ['/etc/passwd', 126, 'cannot be run'],
  ])('that cannot be started (%s) ends with %d and a line', async (command, code, problem) => {
    const child = piped([EXECUTABLE, 'mcp', ...NOWHERE, '--', command], envOf('none'));
    expect(await child.ended).toEqual({ code, signal: null });
    expect(child.err).toBe(`countersign: error: the command ${command} ${problem}\n`);
  });

  test('has its arguments, its environment, its stderr and its directory', async () => {
    const child = piped(
      [
        EXECUTABLE,
        'mcp',
        ...NOWHERE,
        '--',
        'sh',
        '-c',
        'echo "$A $PWD $*" >&2',
        '--',
        'install',
        '--',
        '--help',
      ],
      { ...envOf('none'), A: 'a' },
    );
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.err).toBe(`a ${process.cwd()} install -- --help\n`);
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)(
    'gets %s',
    async (signal) => {
      const name = signal.slice(3);
      const child = wrapped(
        `trap 'echo got ${name}; exit 9' ${name}; echo ready; while :; do sleep 0.05; done`,
      );
      await child.wrote('ready');
      child.child.kill(signal);
      expect(await child.ended).toEqual({ code: 9, signal: null });
      expect(child.out.toString()).toBe(`ready\ngot ${name}\n`);
    },
  );

  test('gets the end of its input, after the last line, and writes on', async () => {
    const child = wrapped('cat; echo after; exit 5');
    child.child.stdin.end('no newline at the end');
    expect(await child.ended).toEqual({ code: 5, signal: null });
    expect(child.out.toString()).toBe('no newline at the endafter\n');
  });

  test('can close its output and read on', async () => {
    const child = wrapped('echo a; exec 1>&-; cat >/dev/null; exit 3');
    await child.closed;
    child.child.stdin.end();
    expect(await child.ended).toEqual({ code: 3, signal: null });
  });

  test('gets the end of its input when its client reads no more', async () => {
    const child = wrapped('trap "" PIPE; cat; exit 6');
    child.child.stdout.destroy();
    child.child.stdin.write('a\n');
    expect(await child.ended).toEqual({ code: 6, signal: null });
  });

  test('may leave another process behind that has its output open', async () => {
    const child = wrapped('sleep 10 2>/dev/null & echo early; exit 4');
    expect(await child.ended).toEqual({ code: 4, signal: null });
    expect(child.out.toString()).toBe('early\n');
  });

  test('gets and returns any bytes, while neither side waits for the other', async () => {
    const child = wrapped('cat');
    const bytes = Buffer.alloc(20_000_003);
    for (let index = 0; index < bytes.length; index++) bytes[index] = (index * 7919) >> 5;
    child.child.stdin.end(bytes);
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(Bun.hash(child.out)).toBe(Bun.hash(bytes));
  });
});

test.each([
  [['mcp'], 2],
  [['mcp', '--'], 2],
  [['mcp', 'cat'], 2],
])('%j is refused, and the message has the form', async (words, code) => {
  const ended = await run(words);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain('countersign mcp -- SERVER [ARGS...]');
});

describe('before the first call', () => {
  test('nothing is written or connected, by five wrappers at once and their probes', async () => {
    const env = { PATH: process.env.PATH ?? '', ...envOf('probes') };
    const args = ['mcp', ...NOWHERE, '--', ...SERVER];
    const clients = await Promise.all(
      Array.from({ length: 5 }, () => connect('v2 auto', { command: EXECUTABLE, args, env })),
    );
    for (const client of clients) expect(await client.tools()).toContain('echo');
    await Promise.all(clients.map((client) => client.close()));
    expect(existsSync(stateOf('probes'))).toBe(false);
  });
});

describe('a call', () => {
  test('has a receipt before the server gets it', async () => {
    const options = [...there(), '--agent', 'before'];
    // The server asks for the receipts when the call arrives.
    const curl = `${process.execPath} -e 'const r = await fetch("${service.url}/api/v1/receipts?agent_id=before", { headers: { authorization: "Bearer ${service.apiKey}" } }); console.log((await r.json()).receipts[0].status)'`;
    const child = wrapped(`read -r line; ${curl}; echo '{"jsonrpc":"2.0","id":1,"result":{}}'`, {
      options,
      name: 'before',
    });
    child.child.stdin.write(callLine(1));
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.out.toString()).toBe('pending\n{"jsonrpc":"2.0","id":1,"result":{}}\n');
    expect(await statesOf('before')).toEqual(['mcp:sh:x success', 'session:sh success']);
  });

  test('that is open when its client goes away ends as graceful_shutdown', async () => {
    const child = wrapped('cat >/dev/null', { options: [...there(), '--agent', 'gone'], name: 'gone' });
    child.child.stdin.end(callLine(1));
    await child.ended;
    expect(await statesOf('gone')).toEqual([
      'mcp:sh:x graceful_shutdown the session ended before the result',
      'session:sh success',
    ]);
  });

  test('that is open when its server ends ends as terminal', async () => {
    const child = wrapped('read -r line; exit 1', {
      options: [...there(), '--agent', 'crash'],
      name: 'crash',
    });
    child.child.stdin.write(callLine(1));
    expect((await child.ended).code).toBe(1);
    expect(await statesOf('crash')).toEqual([
      'mcp:sh:x terminal the server ended before it returned a result',
      'session:sh success',
    ]);
  });

  test('of a killed wrapper ends as a tombstone, with the first call of the next wrapper', async () => {
    const options = [...there(), '--agent', 'killed'];
    const first = wrapped('read -r line; echo called; cat >/dev/null', { options, name: 'killed' });
    first.child.stdin.write(callLine(1, 'lost'));
    await first.wrote('called');
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await statesOf('killed')).toEqual(['mcp:sh:lost pending']);
    const next = wrapped(RESPOND, { options, name: 'killed' });
    next.child.stdin.write(callLine(1));
    await next.wrote('result');
    let states = await statesOf('killed');
    while (states.includes('mcp:sh:lost pending')) states = await statesOf('killed');
    next.child.stdin.end();
    await next.ended;
    expect((await statesOf('killed'))[0]).toBe('mcp:sh:lost failure_tombstone outcome not observed');
  });

  test('without a service goes on within a second under pass, and is in the spool', async () => {
    const child = wrapped(RESPOND, { options: [...NOWHERE, '--agent', 'spooled'], name: 'spooled' });
    child.child.stdin.write(callLine(1));
    await child.wrote('result');
    child.child.stdin.end();
    expect((await child.ended).code).toBe(0);
    const files = readdirSync(join(stateOf('spooled'), 'countersign/capture'));
    expect(files.filter((file) => file.endsWith('.ndjson'))).toHaveLength(1);
  });

  test('without a service is refused under block, and other lines go on', async () => {
    const child = wrapped(RESPOND, { options: [...NOWHERE, '--on-failure', 'block'], name: 'blocked' });
    child.child.stdin.write(`first\n${callLine('7')}second\n`);
    await child.wrote('second');
    child.child.stdin.end();
    expect((await child.ended).code).toBe(0);
    const [first, refusal = '', second] = child.out.toString().split('\n');
    expect([first, second]).toEqual(['first', 'second']);
    expect(JSON.parse(refusal)).toEqual({
      jsonrpc: '2.0',
      id: '7',
      error: { code: -32000, message: 'countersign: the call was not made: no receipt could be issued' },
    });
  });

  test('of 6 MB goes on unchanged, with its receipt', async () => {
    const child = wrapped('cat', { options: [...there(), '--agent', 'large'], name: 'large' });
    const line = callLine(1, 'x'.repeat(6_000_000));
    child.child.stdin.end(line);
    await child.ended;
    expect(Bun.hash(child.out)).toBe(Bun.hash(line));
    expect((await receiptsOf('large')).map(({ status }) => status)).toEqual(['graceful_shutdown', 'success']);
  });
});
