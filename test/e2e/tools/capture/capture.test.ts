import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { client } from '../../../support/client.ts';
import { canMount, mount, unmount } from '../../../support/disk.ts';
import { EXECUTABLE, type Running, run, scratch, start } from '../../../support/process.ts';
import { pageOf, runStory, shellBlocks } from '../../../support/story.ts';

/** Where nothing listens. */
const NOWHERE = 'http://127.0.0.1:9';
const place = scratch();
let service: Running;
let state = '';
let env: Record<string, string> = {};
let url: string[] = [];

beforeAll(async () => {
  const readyFile = join(place.path, 'ready.json');
  service = await start(['--test', '--port', '0', '--ready-file', readyFile], readyFile);
  writeFileSync(join(place.path, 'key'), service.apiKey, { mode: 0o600 });
  url = ['--url', service.url, '--api-key-file', join(place.path, 'key')];
});
afterAll(async () => {
  await service.stop();
  place.dispose();
});
beforeEach(async () => {
  state = join(place.path, crypto.randomUUID());
  env = { XDG_STATE_HOME: state, XDG_CONFIG_HOME: join(state, 'config') };
  await client(fetch, service.url, service.apiKey).post('/_test/reset');
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

/** All receipts, in the order of their issue. */
async function receipts(): Promise<JsonObject[]> {
  const { body } = await client(fetch, service.url, service.apiKey).get('/api/v1/receipts?limit=100');
  return Object(body).receipts.toReversed();
}

const waiting = async (): Promise<JsonObject[]> =>
  JSON.parse((await run(['capture', 'status', '--output', 'json'], { env })).stdout);

const recorded = (args: string[], ...command: string[]) => run(['run', ...args, '--', ...command], { env });

describe('countersign run', () => {
  test.each([
    ['success', ['true'], 0, { status: 'success' }],
    ['its exit code', ['sh', '-c', 'exit 3'], 3, { status: 'terminal', terminal_reason: 'exit code 3' }],
    ['a signal', ['sh', '-c', 'kill -9 $$'], 137, { status: 'terminal', terminal_reason: 'signal SIGKILL' }],
    ['a command that does not exist', ['no-such-command'], 127, { status: 'null' }],
    ['a file that is no command', ['/etc/passwd'], 126, { status: 'null' }],
  ])('passes %s, and says so in the receipt', async (_, command, code, receipt) => {
    expect((await recorded(url, ...command)).code).toBe(code);
    expect(await receipts()).toMatchObject([receipt]);
    expect(await waiting()).toEqual([]);
  });

  test('covers its command line, inputs, outputs and streams', async () => {
    const [input, output, missing] = ['in', 'out', 'missing'].map((name) => join(place.path, name));
    writeFileSync(String(input), 'input');
    rmSync(String(output), { force: true });
    const argv = ['sh', '-c', `cat; echo done; echo oops >&2; printf output > ${output}`];
    const args = ['--name', 'job', '--in', input, '--out', output, '--out', missing, '--capture-output'].map(
      String,
    );
    const child = Bun.spawn([EXECUTABLE, 'run', ...url, ...args, '--', ...argv], {
      ...{
        env: { ...process.env, ...env },
        stdin: new Blob(['from stdin\n']),
        stdout: 'pipe',
        stderr: 'pipe',
      },
    });
    expect(await child.stdout.text()).toBe('from stdin\ndone\n');
    expect(await child.stderr.text()).toContain(`${missing} is no file that can be read`);
    const digests = (values: Record<string, string | null>) =>
      JSON.stringify(Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))));
    const inputs = digests({ [String(input)]: sha256Hex('input') });
    const outputs = digests({
      ...{ [String(output)]: sha256Hex('output'), [String(missing)]: null },
      ...{ stdout: sha256Hex('from stdin\ndone\n'), stderr: sha256Hex('oops\n') },
    });
    expect(await receipts()).toMatchObject([
      {
        ...{ authority_scope: 'run:job', agent_id: 'run', status: 'success' },
        input_digest: sha256Hex(`{"argv":${JSON.stringify(argv)},"inputs":${inputs}}`),
        output_hash: sha256Hex(`{"exit_code":0,"outputs":${outputs},"signal":null}`),
      },
    ]);
  });

  test('passes signals to the command, and ends as it does', async () => {
    const child = Bun.spawn(
      [
        EXECUTABLE,
        'run',
        ...url,
        '--',
        'sh',
        '-c',
        'trap "exit 42" TERM; echo ready; while :; do sleep 0.05; done',
      ],
      { env: { ...process.env, ...env }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
    );
    const reader = child.stdout.getReader();
    await reader.read();
    child.kill('SIGTERM');
    expect(await child.exited).toBe(42);
    expect(await receipts()).toMatchObject([{ status: 'terminal', terminal_reason: 'exit code 42' }]);
  });

  test.each([
    ['an input that does not exist', ['--in', '/nowhere/file'], 2],
    ['one name twice', ['--in', '/etc/passwd', '--in', '/etc/passwd'], 2],
    ['a receipt that is required, and no service', ['--require', '--url', NOWHERE], 7],
    ['no service at all', null, 2],
  ])('does not start the command with %s', async (_, args, code) => {
    const mark = join(place.path, 'started');
    const named = args === null ? [] : args.includes('--url') ? args : [...url, ...args];
    expect((await recorded(named, 'touch', mark)).code).toBe(code);
    expect(existsSync(mark)).toBe(false);
    expect(await receipts()).toEqual([]);
  });

  test('has its receipt later where the service is away', async () => {
    const away = await recorded(['--url', NOWHERE], 'sh', '-c', 'echo out; exit 5');
    expect(away).toMatchObject({ code: 5, stdout: 'out\n' });
    expect(away.stderr).toContain('a receipt waits in the spool');
    expect(await waiting()).toMatchObject([{ state: 'waiting', service: NOWHERE, unissued: 1, open: 0 }]);
    const sent = await run(['capture', 'send'], { env });
    expect(sent).toMatchObject({ code: 7 });
    expect(sent.stderr).toContain('1 calls are left');
    expect(await run(['capture', 'discard', '--all'], { env })).toMatchObject({ code: 2 });
    const discarded = await run(['capture', 'discard', '--all', '--yes'], { env });
    expect(discarded).toMatchObject({ code: 0 });
    expect(discarded.stderr).toContain('1 receipts that were not issued');
    expect(await waiting()).toEqual([]);
  });
});

test.each([
  [['run', '--data', 'data', '--', 'true']],
  [['mcp', '--data', 'data', '--', 'true']],
  [['hook', 'claude-code', '--on-failure', 'block', '--data', 'data']],
  [['capture', 'send', '--data', 'data']],
])('%j does not take the data directory of a server, and says what it takes', async (args) => {
  expect(await run(args, { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('takes captures with an API key: use --context or --url. --local makes'),
  });
});

describe('after a kill', () => {
  test('each command has one receipt: its own, or a tombstone', async () => {
    for (let index = 0; index < 8; index += 1) {
      const child = Bun.spawn([EXECUTABLE, 'run', ...url, '--name', `job-${index}`, '--', 'sleep', '0.1'], {
        ...{ env: { ...process.env, ...env }, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
      });
      // The last one ends by itself: on a slow machine all others may die before they have written anything.
      const timer = index === 7 ? undefined : setTimeout(() => child.kill('SIGKILL'), 30 * index);
      await child.exited;
      clearTimeout(timer);
    }
    const spooled = await waiting();
    expect(spooled.every(({ state }) => state === 'waiting')).toBe(true);
    expect(await run(['capture', 'send', ...url], { env })).toMatchObject({ code: 0 });
    expect(await run(['capture', 'send', ...url], { env })).toMatchObject({ code: 0, stdout: '' });
    const all = await receipts();
    const scopes = all.map(({ authority_scope }) => authority_scope);
    expect(new Set(scopes).size).toBe(scopes.length);
    expect(spooled.length).toBeLessThanOrEqual(all.length);
    for (const { status, terminal_reason } of all)
      expect([status, terminal_reason ?? null]).toBeOneOf([
        ['success', null],
        ['failure_tombstone', 'outcome not observed'],
      ]);
    expect(
      readdirSync(join(state, 'countersign', 'capture')).filter((name) => name.endsWith('.ndjson')),
    ).toEqual([]);
  });
});

/** The events of Claude Code for a tool call. */
const hookOf = (event: string, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    ...{ hook_event_name: event, session_id: 's1', cwd: '/tmp', transcript_path: '/tmp/t.jsonl' },
    ...{ tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1', ...more },
  });
const hook = (stdin: string, ...args: string[]) => run(['hook', 'claude-code', ...args], { env, stdin });

describe('countersign hook claude-code', () => {
  test('begins a call in one process and ends it in another, and the session ends with a closing receipt', async () => {
    const silent = { code: 0, stdout: '', stderr: '' };
    expect(await hook(hookOf('PreToolUse'), ...url)).toEqual(silent);
    expect(await receipts()).toMatchObject([
      { status: 'pending', authority_scope: 'hook:Bash', agent_id: 'claude-code' },
    ]);
    expect(await hook(hookOf('PostToolUse', { tool_response: { stdout: 'a' } }), ...url)).toEqual(silent);
    await hook(hookOf('PreToolUse', { tool_use_id: 'toolu_2', tool_name: 'mcp__files__read' }), ...url);
    await hook(hookOf('PermissionDenied', { tool_use_id: 'toolu_3' }), ...url);
    await hook(hookOf('PreToolUse', { tool_use_id: 'toolu_4' }), ...url);
    expect(await hook(hookOf('SessionEnd', { reason: 'other' }), ...url)).toEqual(silent);
    expect(await receipts()).toMatchObject([
      { status: 'success', output_hash: sha256Hex('{"stdout":"a"}') },
      { status: 'refusal', refusal_reason: 'permission denied' },
      { status: 'null', refusal_reason: 'no result was reported before the session ended' },
      { status: 'success', authority_scope: 'session:claude-code' },
    ]);
    expect(await waiting()).toEqual([]);
  });

  test('has no second receipt of any of ten calls at once', async () => {
    const events = (name: string) =>
      Array.from({ length: 10 }, (_, index) =>
        hook(
          hookOf(name, { tool_use_id: `toolu_${index}`, tool_input: index, tool_response: index }),
          ...url,
        ),
      );
    await Promise.all(events('PreToolUse'));
    await Promise.all(events('PostToolUse'));
    await hook(hookOf('SessionEnd'), ...url);
    expect(await run(['capture', 'send', ...url], { env })).toMatchObject({ code: 0 });
    const all = await receipts();
    const digests = all.map(({ input_digest }) => input_digest);
    expect(new Set(digests).size).toBe(digests.length);
    // On a busy machine an event can take longer than the second of a hook.
    for (const { status } of all) expect(status).toBeOneOf(['success', 'null']);
    expect(all.at(-1)).toMatchObject({ authority_scope: 'session:claude-code' });
  });

  test.each([
    ['no event', ''],
    ['foreign JSON', '{"a":[1,2,{"b":null}]}'],
    ['rubbish', '\u0000\ufffd\u0001'],
    ['a list', '[]'],
    ['an event without a tool', '{"hook_event_name":"PreToolUse","session_id":"s1"}'],
    ['more than it reads', ' '.repeat(64 * 2 ** 20 + 1)],
  ])(
    'ends with 0 for %s, prints nothing on standard output, and blocks it where that is wanted',
    async (_, stdin) => {
      expect(await hook(stdin, ...url)).toMatchObject({ code: 0, stdout: '' });
      expect(await hook(stdin, ...url, '--on-failure', 'block')).toMatchObject({ code: 2, stdout: '' });
      expect(await receipts()).toEqual([]);
    },
  );

  test('blocks a call whose event does not end, and no event that is no call', async () => {
    const child = Bun.spawn([EXECUTABLE, 'hook', 'claude-code', ...url, '--on-failure=block'], {
      ...{ env: { ...process.env, ...env }, stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' },
    });
    expect(await child.exited).toBe(2);
    for (const event of ['PostToolUse', 'SessionEnd', 'Notification'])
      expect(await hook(hookOf(event), ...url, '--on-failure', 'block')).toMatchObject({ code: 0 });
    const skipped = hookOf('PreToolUse', { tool_name: 'mcp__files__read' });
    expect(await hook(skipped, ...url, '--on-failure', 'block')).toMatchObject({ code: 0 });
  });

  test.each([[['--no-such-option']], [['--domain', 'X']], [['--url', 'x']], [['extra']]])(
    'with the wrong usage %j blocks nothing, unless that is wanted',
    async (wrong) => {
      expect(await hook(hookOf('PreToolUse'), ...wrong)).toMatchObject({ code: 0, stdout: '' });
      expect(await hook(hookOf('PreToolUse'), ...wrong, '--on-failure=block')).toMatchObject({ code: 2 });
    },
  );

  test('records an event of 20 MB with the digest of its bytes', async () => {
    const stdin = hookOf('PreToolUse', { tool_input: '[],'.repeat(7_000_000) });
    expect(await hook(stdin, ...url)).toMatchObject({ code: 0, stdout: '' });
    await run(['capture', 'send', ...url], { env });
    expect((await receipts())[0]).toMatchObject({ input_digest: sha256Hex(stdin) });
  });

  test('keeps calls for later where the service is away, and blocks them only where that is wanted', async () => {
    expect(await hook(hookOf('PreToolUse'), '--url', NOWHERE)).toMatchObject({ code: 0, stdout: '' });
    expect(await waiting()).toMatchObject([{ unissued: 1, open: 1 }]);
    const blocked = await hook(
      hookOf('PreToolUse', { session_id: 's2' }),
      '--url',
      NOWHERE,
      '--on-failure',
      'block',
    );
    expect(blocked).toMatchObject({ code: 2, stdout: '' });
    expect(blocked.stderr).toContain('the call is blocked');
    expect(await hook(hookOf('PostToolUse'), '--url', NOWHERE, '--on-failure', 'block')).toMatchObject({
      code: 0,
    });
    expect(await hook(hookOf('PreToolUse'))).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no login context'),
    });
  });

  test('ends by itself where the service does not respond', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
    try {
      const ended = await hook(hookOf('PreToolUse'), '--url', `http://127.0.0.1:${silent.port}`);
      expect(ended).toMatchObject({ code: 0, stdout: '' });
      expect(await waiting()).toMatchObject([{ unissued: 1 }]);
    } finally {
      silent.stop(true);
    }
  });

  test.if(canMount)('ends with 0 where the spool cannot be written, and has the receipt anyway', async () => {
    const disk = join(place.path, 'disk');
    await Bun.write(join(disk, '.keep'), '');
    expect(mount(disk, 4)).toBe(true);
    try {
      writeFileSync(join(disk, '.keep'), '');
      env.XDG_STATE_HOME = join(disk, '.keep');
      expect(await hook(hookOf('PreToolUse'), ...url)).toMatchObject({ code: 0, stdout: '' });
      expect(await receipts()).toMatchObject([{ status: 'pending' }]);
    } finally {
      unmount(disk);
    }
  });
});

test('a session that another version wrote is left alone, and named', async () => {
  const directory = join(state, 'countersign', 'capture');
  await Bun.write(join(directory, 'later.ndjson'), '{"type":"session","version":2}\n');
  await run(['capture', 'send'], { env });
  expect(await waiting()).toMatchObject([{ session: 'later', state: 'unreadable' }]);
  expect(readFileSync(join(directory, 'later.ndjson'), 'utf8')).toContain('"version":2');
});

test('the blocks of docs/capture.md run word for word', async () => {
  const { said } = await runStory(shellBlocks(pageOf('capture.md')), { XDG_STATE_HOME: state });
  const [local, greeted, waited] = said;
  expect(local).toContain('"authority_scope":"run:greeting"');
  expect(greeted).toContain('run:greeting');
  expect(waited).toContain('waiting');
  expect(await waiting()).toEqual([]);
});
