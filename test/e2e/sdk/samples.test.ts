import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSdk, SDK } from '../../../scripts/sdk.ts';
import { ROOT } from '../../../scripts/sources.ts';
import { EXECUTABLE, scratch } from '../../support/process.ts';
import { hasPython, PYTHON, pythonWithPytest } from '../../support/python.ts';
import { pageOf } from '../../support/story.ts';
import { eventually } from '../../support/virtual-time.ts';

/** Runs the samples of docs/testing.md as projects of their own, and the helpers where tests fail. */

const PYTEST = pythonWithPytest();
const files = scratch();
beforeAll(async () => {
  await buildSdk();
  mkdirSync(join(files.path, 'node_modules/@countersign'), { recursive: true });
  symlinkSync(join(SDK, 'typescript'), join(files.path, 'node_modules/@countersign/sdk'));
  cpSync(join(SDK, 'go'), join(files.path, 'go'), { recursive: true });
  writeFileSync(join(files.path, 'go/go.mod'), 'module example.test/countersign\n\ngo 1.19\n');
}, 180_000);
afterAll(() => files.dispose());

/** Returns the blocks of the page that this file runs, in a language. */
const blocksOf = (language: string): string[] =>
  [
    ...pageOf('testing.md').matchAll(
      /^<!-- run by test\/e2e\/sdk\/samples\.test\.ts -->\n```(\w+)\n([\s\S]*?)^```$/gm,
    ),
  ].flatMap(([, own, text = '']) => (own === language ? [text] : []));

async function run(command: string[], cwd = files.path, more: Record<string, string> = {}) {
  const env = { ...process.env, COUNTERSIGN: EXECUTABLE, PYTHONPATH: join(SDK, 'python'), ...more };
  const child = Bun.spawn(command, { cwd, env, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, output: stdout + stderr };
}

test('the sample for node:test passes', async () => {
  writeFileSync(join(files.path, 'sample.test.mjs'), blocksOf('javascript')[0] ?? '');
  const { code, output } = await run(['node', '--test', 'sample.test.mjs']);
  expect([code, output]).toEqual([0, expect.stringContaining('# pass 1')]);
}, 60_000);

test('the sample for bun test passes', async () => {
  writeFileSync(join(files.path, 'sample.bun.test.mjs'), blocksOf('javascript')[1] ?? '');
  const { code, output } = await run([process.execPath, 'test', './sample.bun.test.mjs']);
  expect([code, output]).toEqual([0, expect.stringContaining('1 pass')]);
}, 60_000);

/** What the runners import in place of node:test and bun:test, and how each runs a folder. */
const RUNNERS: [runner: string, module: string, command: (folder: string) => string[]][] = [
  [
    'vitest',
    'vitest',
    (folder) => [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      folder,
      '--testTimeout=60000',
      '--hookTimeout=60000',
    ],
  ],
  [
    'jest',
    '@jest/globals',
    (folder) => [
      ...['--experimental-vm-modules', join(ROOT, 'node_modules/jest/bin/jest.js'), '--rootDir', folder],
      ...['--testMatch', '**/*.test.mjs', '--testTimeout=60000', '--cache=false'],
    ],
  ],
];
test.each(RUNNERS)(
  'the samples for node:test and bun test pass in %s with its imports',
  async (runner, module, commandOf) => {
    const folder = join(files.path, runner);
    mkdirSync(folder);
    const [first = '', second = ''] = blocksOf('javascript');
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'first.test.mjs'), first.replace("'node:test'", `'${module}'`));
    writeFileSync(join(folder, 'second.test.mjs'), second.replace("'bun:test'", `'${module}'`));
    const { code, output } = await run(['node', ...commandOf(folder)], folder, { NO_COLOR: '1' });
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests:? +2 passed/)]);
  },
  180_000,
);

test('the sample of an agent with the clock of its service passes', async () => {
  writeFileSync(join(files.path, 'agent.test.mjs'), blocksOf('javascript')[2] ?? '');
  const { code, output } = await run(['node', '--test', 'agent.test.mjs']);
  expect([code, output]).toEqual([0, expect.stringContaining('# pass 1')]);
}, 60_000);

test.skipIf(!hasPython).each([
  ['behind', '2026-01-01T00:00:00Z'],
  ['ahead', '+20000h'],
])(
  'an agent of Python signs with the clock of its service, which is %s, and only if it is told so',
  async (_, clock) => {
    const program = `from countersign import AgentKey, ApiError, CountersignError, SigningAgent, TrustClient, enroll
from countersign_testing import TestService
with TestService(clock="${clock}") as service:
    agent = SigningAgent(AgentKey.generate())
    client = TrustClient(service.url, api_key=service.api_key, now=service.now)
    enroll(client, agent)
    print(client.agents.set_name(agent.commitment, {"name": "Clerk"}, agent=agent)["name"])
    try:
        own = TrustClient(service.url, api_key=service.api_key)
        enroll(own, SigningAgent(AgentKey.generate()))
        own.agents.set_name(agent.commitment, {"name": "Other"}, agent=agent)
    except (ApiError, CountersignError) as error:
        print("refused", error)
`;
    const { code, output } = await run([PYTHON ?? '', '-B', '-c', program]);
    expect([code, output]).toEqual([0, expect.stringMatching(/^Clerk\nrefused .*expired/)]);
  },
  60_000,
);

test.skipIf(!hasPython)(
  'the sample for unittest passes',
  async () => {
    writeFileSync(join(files.path, 'sample.py'), blocksOf('python')[0] ?? '');
    const { code, output } = await run([PYTHON ?? '', '-B', '-m', 'unittest', 'sample']);
    expect([code, output]).toEqual([0, expect.stringContaining('OK')]);
  },
  60_000,
);

test.skipIf(PYTEST === null)(
  'the sample for pytest passes',
  async () => {
    writeFileSync(join(files.path, 'test_sample.py'), blocksOf('python')[1] ?? '');
    const options = ['-q', '-p', 'no:cacheprovider', 'test_sample.py'];
    const { code, output } = await run([PYTEST ?? '', '-B', '-m', 'pytest', ...options]);
    expect([code, output]).toEqual([0, expect.stringContaining('1 passed')]);
  },
  60_000,
);

test.skipIf(Bun.which('go') === null)(
  'the sample for go test passes',
  async () => {
    writeFileSync(join(files.path, 'go/sample_test.go'), blocksOf('go')[0] ?? '');
    const { code, output } = await run(['go', 'test', './...'], join(files.path, 'go'), {
      GOFLAGS: '-mod=mod',
    });
    expect([code, output]).toEqual([0, expect.stringContaining('ok')]);
  },
  180_000,
);

const FAILING = `
import { withCountersign } from '@countersign/sdk/testing';
await withCountersign({}, async (service) => { console.log(service.ready.pid); throw new Error('it failed'); })();
`;

test('a failed test shows the log of its service, which ends', async () => {
  writeFileSync(join(files.path, 'failing.mjs'), FAILING);
  const { code, output } = await run(['node', 'failing.mjs']);
  expect(code).not.toBe(0);
  expect(output).toContain('The log of countersign serve --test:');
  expect(output).toContain('TEST: this service was started with --test');
  expect(isRunning(Number(output.split('\n')[0]))).toBeFalse();
}, 60_000);

test.skipIf(!hasPython)(
  'a failed block of Python shows the log of its service, which ends',
  async () => {
    const program = `from countersign_testing import TestService
with TestService() as service:
    print(service.ready["pid"], flush=True)
    raise ValueError("it failed")
`;
    const { code, output } = await run([PYTHON ?? '', '-B', '-c', program]);
    expect(code).toBe(1);
    expect(output).toContain('TEST: this service was started with --test');
    expect(isRunning(Number(output.split('\n')[0]))).toBeFalse();
  },
  60_000,
);

test.each([
  [
    'node',
    "import { startCountersign } from '@countersign/sdk/testing'; const { ready } = await startCountersign(); console.log(ready.pid); process.kill(process.pid, 'SIGKILL');",
  ],
  [
    'node that forgets to stop it',
    "import { startCountersign } from '@countersign/sdk/testing'; console.log((await startCountersign()).ready.pid);",
  ],
])(
  'a service ends when the process of its tests is gone: %s',
  async (_, program) => {
    writeFileSync(join(files.path, 'gone.mjs'), program);
    const { output } = await run(['node', 'gone.mjs']);
    const pid = Number(output.split('\n')[0]);
    expect(pid).toBeGreaterThan(1);
    await eventually(() => !isRunning(pid));
  },
  60_000,
);

test('an executable that does not start says why', async () => {
  const start = (options: string) => `import { startCountersign } from '@countersign/sdk/testing';
    await startCountersign(${options}).catch((error) => console.log(error.message));`;
  writeFileSync(join(files.path, 'none.mjs'), start("{ executable: '/nowhere/countersign' }"));
  expect((await run(['node', 'none.mjs'])).output).toContain('/nowhere/countersign cannot be started');
  writeFileSync(join(files.path, 'wrong.mjs'), start("{ clock: 'yesterday' }"));
  expect((await run(['node', 'wrong.mjs'])).output).toContain('clock');
}, 60_000);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
