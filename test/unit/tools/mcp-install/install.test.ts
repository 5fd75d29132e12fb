import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Failure } from '../../../../src/platform/failure.ts';
import { Backups } from '../../../../src/tools/mcp-install/backups.ts';
import { type ClientName, configurationFile } from '../../../../src/tools/mcp-install/clients.ts';
import { readConfigFile, writeConfigFile } from '../../../../src/tools/mcp-install/config-file.ts';
import { install, type Request, uninstall } from '../../../../src/tools/mcp-install/install.ts';
import { CLIENT_FILES } from '../../../support/mcp-client-files.ts';

const WRAPPER = { executable: '/usr/local/bin/countersign', options: [] };
const SERVER = '{"mcpServers": {"one": {"command": "npx", "args": ["-y"]}, "two": {"command": "uvx"}}}';

let directory: string;
let backups: Backups;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-install-'));
  backups = new Backups(join(directory, 'state', 'client-configurations'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const path = (name = 'mcp.json'): string => join(directory, name);
const kept = (): string[] => readdirSync(path('state/client-configurations'));
const request = (options: Partial<Request> = {}): Request => ({
  client: 'cursor',
  servers: [],
  isConfirmed: true,
  configFile: path(),
  ...options,
});
const installed = (options: Partial<Request> = {}) => install(request(options), WRAPPER, backups);
const uninstalled = (options: Partial<Request> = {}) =>
  uninstall(request(options), WRAPPER.executable, backups);
const failureOf = (act: Promise<unknown>): Promise<Failure> =>
  act.then(
    () => new Failure('none'),
    (error: unknown) => (error instanceof Failure ? error : Promise.reject(error)),
  );

describe('install and uninstall give back the bytes of the file:', () => {
  const asFiles: [string, ClientName, string | Uint8Array][] = [
    ...CLIENT_FILES.map(({ client, what, text }): [string, ClientName, string] => [what, client, text]),
    ['with a byte order mark', 'cursor', `\ufeff${SERVER}`],
    ['TOML with a byte order mark', 'codex', '\ufeff[mcp_servers.a]\ncommand = "x"'],
    ['with CRLF and no newline at the end', 'cursor', SERVER.replaceAll(' ', '\r\n  ')],
    ['TOML with CRLF', 'codex', '[mcp_servers.a]\r\ncommand = "x" # why\r\n\r\n[b]\r\nc = 1\r\n'],
    ['minified', 'cursor', JSON.stringify(JSON.parse(SERVER))],
  ];

  test.each(asFiles)('%s (%s)', async (_, client, text) => {
    writeFileSync(path(), text);
    const before = readFileSync(path());
    expect(await installed({ client })).toMatch(/^wrapped: /);
    expect(readFileSync(path()).equals(before)).toBe(false);
    const after = readFileSync(path());
    expect(await installed({ client })).toContain(`nothing was changed in ${path()}\n`);
    expect(readFileSync(path()).equals(after)).toBe(true);
    expect(await uninstalled({ client })).toMatch(/^unwrapped: /);
    expect(readFileSync(path()).equals(before)).toBe(true);
    expect(kept()).toEqual([]);
    expect(await uninstalled({ client })).toBe(`nothing was changed in ${path()}\n`);
  });

  test('after several installs, and whatever the servers are', async () => {
    const server = fc.record({ command: fc.string({ minLength: 1 }), args: fc.array(fc.string()) });
    const servers = fc.dictionary(fc.string(), server, { minKeys: 1, maxKeys: 3 });
    const property = fc.asyncProperty(servers, fc.boolean(), async (mcpServers, isPretty) => {
      writeFileSync(path(), JSON.stringify({ mcpServers }, null, isPretty ? 2 : 0));
      const before = readFileSync(path());
      const [first = ''] = Object.keys(mcpServers);
      await failureOf(installed({ servers: [first] }));
      await installed();
      await uninstalled();
      return readFileSync(path()).equals(before);
    });
    await fc.assert(property, { numRuns: 15 });
  });
});

describe('a file that changed since install', () => {
  test('keeps the change, and only its servers are unwrapped', async () => {
    writeFileSync(path(), SERVER);
    await installed();
    const changed = readFileSync(path(), 'utf8').replace('{"mcp', '{"theme": "dark", "mcp');
    writeFileSync(path(), changed);
    await uninstalled();
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({
      theme: 'dark',
      mcpServers: { one: { command: 'npx', args: ['-y'] }, two: { command: 'uvx', args: [] } },
    });
  });

  test('is not restored if only one server is named', async () => {
    writeFileSync(path(), SERVER);
    await installed();
    expect(await uninstalled({ servers: ['one'] })).toBe('unwrapped: mcpServers.one\n');
    expect(readFileSync(path(), 'utf8')).toContain('"--", "uvx"');
    await uninstalled();
    expect(readFileSync(path(), 'utf8')).not.toContain('countersign');
  });

  test('gets no former bytes back in which servers are wrapped: all are unwrapped', async () => {
    const before = SERVER.replace('"uvx"', '"/usr/local/bin/countersign", "args": ["mcp", "--", "uvx"]');
    writeFileSync(path(), before);
    expect(await installed()).toContain('wrapped: mcpServers.one\n');
    expect(await uninstalled()).toBe('unwrapped: mcpServers.one\nunwrapped: mcpServers.two\n');
    expect(readFileSync(path(), 'utf8')).not.toContain('countersign');
  });

  test('is not written while a command asks', () => {
    writeFileSync(path(), SERVER);
    const file = readConfigFile(path(), '');
    writeFileSync(path(), `${SERVER} `);
    expect(() => writeConfigFile(file, Buffer.from('{}'))).toThrow(
      `${path()} changed meanwhile; nothing was written`,
    );
    expect(readFileSync(path(), 'utf8')).toBe(`${SERVER} `);
    expect(readdirSync(directory)).toEqual(['mcp.json']);
  });

  test('and a link that leads elsewhere meanwhile is not written either', () => {
    writeFileSync(path('a'), SERVER);
    writeFileSync(path('b'), SERVER);
    symlinkSync(path('a'), path());
    const file = readConfigFile(path(), '');
    rmSync(path());
    symlinkSync(path('b'), path());
    expect(() => writeConfigFile(file, Buffer.from('{}'))).toThrow('changed meanwhile');
    expect([readFileSync(path('a'), 'utf8'), readFileSync(path('b'), 'utf8')]).toEqual([SERVER, SERVER]);
  });
});

describe('the file', () => {
  test('stays a symbolic link, and keeps its mode', async () => {
    mkdirSync(path('dotfiles'));
    writeFileSync(path('dotfiles/mcp.json'), SERVER);
    chmodSync(path('dotfiles/mcp.json'), 0o640);
    symlinkSync('dotfiles/mcp.json', path());
    await installed();
    expect(lstatSync(path()).isSymbolicLink()).toBe(true);
    expect(readFileSync(path('dotfiles/mcp.json'), 'utf8')).toContain('countersign');
    expect(statSync(path('dotfiles/mcp.json')).mode & 0o777).toBe(0o640);
  });

  test('is copied before it changes, for this user only', async () => {
    writeFileSync(path(), SERVER, { mode: 0o644 });
    const said = await installed();
    const [, copy = ''] = /^the file as it was is in (.*)$/m.exec(said) ?? [];
    expect(readFileSync(copy, 'utf8')).toBe(SERVER);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(statSync(path('state/client-configurations')).mode & 0o777).toBe(0o700);
    for (const name of kept())
      expect(statSync(path(`state/client-configurations/${name}`)).mode & 0o777).toBe(0o600);
  });

  test('of another place with the same bytes has another backup', async () => {
    writeFileSync(path(), SERVER);
    writeFileSync(path('other.json'), SERVER);
    await installed();
    writeFileSync(path('other.json'), readFileSync(path()));
    await uninstalled({ configFile: path('other.json') });
    expect(JSON.parse(readFileSync(path('other.json'), 'utf8')).mcpServers.two.args).toEqual([]);
    expect(kept().length).toBe(2);
  });

  test('is not restored from a backup that was changed', async () => {
    writeFileSync(path(), SERVER);
    const said = await installed();
    const [, copy = ''] = /^the file as it was is in (.*)$/m.exec(said) ?? [];
    writeFileSync(copy, '{"mcpServers": {"evil": {"command": "evil"}}}');
    await uninstalled();
    expect(readFileSync(path(), 'utf8')).not.toContain('evil');
    expect(readFileSync(path(), 'utf8')).not.toContain('countersign');
  });

  test('is refused if it is missing, no file, not UTF-8, or has two names', async () => {
    expect(await failureOf(installed())).toMatchObject({ message: `${path()} does not exist`, exitCode: 2 });
    expect((await failureOf(installed({ configFile: directory }))).message).toContain(
      'is not a regular file',
    );
    symlinkSync('nowhere', path());
    expect((await failureOf(installed())).message).toContain('the file does not exist');
    rmSync(path());
    writeFileSync(path(), new Uint8Array([0x7b, 0xff, 0x7d]));
    expect((await failureOf(installed())).message).toBe(`${path()} is not UTF-8 text`);
    writeFileSync(path(), SERVER);
    linkSync(path(), path('second'));
    expect((await failureOf(installed())).message).toContain('has 2 names');
  });

  test.skipIf(process.getuid?.() !== 0)('of another user is refused, by root too', async () => {
    writeFileSync(path(), SERVER);
    const { chownSync } = await import('node:fs');
    chownSync(path(), 65534, 65534);
    expect((await failureOf(installed())).message).toBe(`${path()} is the file of another user`);
  });
});

describe('the file of a client is', () => {
  const files = (platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}) =>
    (['claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex'] as const).map((client) =>
      configurationFile(client, {}, { home: '/h', platform, env }),
    );

  test('where its documentation says, on each platform', () => {
    expect(files('linux')).toEqual([
      '/h/.claude.json',
      '/h/.config/Claude/claude_desktop_config.json',
      '/h/.cursor/mcp.json',
      '/h/.config/Code/User/mcp.json',
      '/h/.codex/config.toml',
    ]);
    expect(files('darwin')).toEqual([
      '/h/.claude.json',
      '/h/Library/Application Support/Claude/claude_desktop_config.json',
      '/h/.cursor/mcp.json',
      '/h/Library/Application Support/Code/User/mcp.json',
      '/h/.codex/config.toml',
    ]);
    expect(files('win32', { APPDATA: '/a' })[1]).toBe('/a/Claude/claude_desktop_config.json');
  });

  test('where its environment says', () => {
    expect(files('linux', { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', XDG_CONFIG_HOME: '/g' })).toEqual([
      '/c/.claude.json',
      '/g/Claude/claude_desktop_config.json',
      '/h/.cursor/mcp.json',
      '/g/Code/User/mcp.json',
      '/x/config.toml',
    ]);
  });

  test('in a project, or the one that an option names', () => {
    const inProject = (client: ClientName) => configurationFile(client, { project: '/p' });
    expect([inProject('claude-code'), inProject('vscode')]).toEqual(['/p/.mcp.json', '/p/.vscode/mcp.json']);
    expect([inProject('cursor'), inProject('codex')]).toEqual([
      '/p/.cursor/mcp.json',
      '/p/.codex/config.toml',
    ]);
    expect(() => inProject('claude-desktop')).toThrow('claude-desktop has no configuration of a project');
    expect(configurationFile('codex', { configFile: '/f' })).toBe('/f');
    expect(() => configurationFile('codex', { configFile: '/f', project: '/p' })).toThrow('name two files');
  });
});
