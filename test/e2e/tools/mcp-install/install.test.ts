import { afterEach, beforeEach, expect, test } from 'bun:test';
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Contexts, type ServiceName } from '../../../../src/platform/client/contexts.ts';
import { EXECUTABLE, run, scratch } from '../../../support/process.ts';

let directory: ReturnType<typeof scratch>;
let env: Record<string, string>;
beforeEach(() => {
  directory = scratch();
  env = {
    HOME: directory.path,
    XDG_STATE_HOME: join(directory.path, 'state'),
    XDG_CONFIG_HOME: join(directory.path, 'configuration'),
  };
  login('prod', 'trust');
});
afterEach(() => directory.dispose());

const file = (name: string): string => join(directory.path, name);
const mcp = (...args: string[]) => run(['mcp', ...args], { env });
function login(name: string, service: ServiceName): void {
  const contexts = new Contexts(file('configuration/countersign'));
  contexts.write({
    name,
    url: 'https://service.example',
    service,
    keyFile: '/key',
    account: null,
    operations: {},
  });
  contexts.use(name);
}
const CODE = '{ "mcpServers": { "one": { "command": "npx", "args": ["-y", "server"] } } }';

test('the file of a client is found, wrapped with this executable, and given back', async () => {
  writeFileSync(file('.claude.json'), CODE, { mode: 0o600 });
  expect(await mcp('install', 'claude-code', '--yes', '--domain', 'CODE_GENERATION')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^wrapped: mcpServers\.one\nthe file as it was is in .*\n$/),
  });
  const args = ['mcp', '--domain=CODE_GENERATION', '--', 'npx', '-y', 'server'];
  expect(JSON.parse(readFileSync(file('.claude.json'), 'utf8')).mcpServers.one).toEqual({
    command: EXECUTABLE,
    args,
  });
  expect(statSync(file('.claude.json')).mode & 0o777).toBe(0o600);
  const again = await mcp('install', 'claude-code', '--yes', '--agent', 'clerk');
  expect(again.stdout).toContain('it is wrapped already, with other options: uninstall it first');
  expect((await mcp('uninstall', 'claude-code', '--yes')).code).toBe(0);
  expect(readFileSync(file('.claude.json'), 'utf8')).toBe(CODE);
});

test('the path on the PATH is written if it leads to this executable', async () => {
  writeFileSync(file('.claude.json'), CODE);
  symlinkSync(EXECUTABLE, file('countersign'));
  env = { ...env, PATH: directory.path };
  await mcp('install', 'claude-code', '--yes');
  expect(readFileSync(file('.claude.json'), 'utf8')).toContain(JSON.stringify(file('countersign')));
});

test('the options of the wrapper are written, with absolute paths: clients start servers anywhere', async () => {
  writeFileSync(file('.claude.json'), CODE);
  expect((await run(['keygen', '--out', file('agent.pem')])).code).toBe(0);
  const options = ['--context', 'prod', '--agent-key', file('agent.pem'), '--keep', 'test/../kept'];
  const more = ['--domain', 'CODE_GENERATION', '--on-failure', 'block'];
  expect((await mcp('install', 'claude-code', '--yes', ...options, ...more)).code).toBe(0);
  const { args } = JSON.parse(readFileSync(file('.claude.json'), 'utf8')).mcpServers.one;
  expect(args.slice(0, args.indexOf('--'))).toEqual([
    ...['mcp', '--context=prod', `--agent-key=${file('agent.pem')}`, '--domain=CODE_GENERATION'],
    ...[`--keep=${resolve('kept')}`, '--on-failure=block'],
  ]);
});

test('without a terminal the change is shown and refused, with exit code 2', async () => {
  const hostile = CODE.replace('server"]', '\\u001b[31m\u202eserver"]').replace('one', 'one\\n- x');
  writeFileSync(file('.claude.json'), hostile);
  const { code, stdout, stderr } = await mcp('install', 'claude-code');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('  mcpServers.one\\n- x\n-   command "npx"\n');
  expect(stderr).toContain('+   args    ["mcp", "--", "npx", "-y", "\\u001b[31m\\u202eserver"]\n');
  expect(stderr).toContain('there is no terminal');
});

test.each([
  [['cursor'], '.cursor/mcp.json does not exist'],
  [['emacs'], 'argument'],
  [['claude-desktop', '--project', '.'], 'claude-desktop has no configuration of a project'],
  [['claude-code', '--context', 'nowhere'], 'there is no context nowhere'],
  [['claude-code', '--context', 'a', '--local', 'b'], 'cannot be used with'],
  [['claude-code', '--agent', 'a', '--agent-key', 'b'], 'cannot be used with'],
  [['claude-code', '--on-failure', 'ignore'], 'Allowed choices are pass, block'],
  [['claude-code', '--server', 'two', '--yes'], 'its servers are one'],
])('install %j is wrong usage', async (args, message) => {
  writeFileSync(file('.claude.json'), CODE);
  const { code, stderr } = await mcp('install', ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(readFileSync(file('.claude.json'), 'utf8')).toBe(CODE);
});

test('without a login context of a trust service, in which no wrapper starts, nothing is wrapped', async () => {
  writeFileSync(file('.claude.json'), CODE);
  login('staff', 'staffing');
  expect((await mcp('install', 'claude-code', '--yes')).stderr).toContain(
    'the context staff is of the staffing service',
  );
  expect((await mcp('install', 'claude-code', '--yes', '--context', 'prod')).code).toBe(0);
  await mcp('uninstall', 'claude-code', '--yes');
  new Contexts(file('configuration/countersign')).remove('staff');
  const { code, stderr } = await mcp('install', 'claude-code', '--yes');
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no login context')]);
  expect(readFileSync(file('.claude.json'), 'utf8')).toBe(CODE);
});
