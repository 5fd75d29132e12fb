import { afterEach, beforeEach, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  chooseService,
  chooseTarget,
  type TargetOptions,
} from '../../../../src/platform/client/choose-target.ts';
import { Contexts } from '../../../../src/platform/client/contexts.ts';
import { platformSettings } from '../../../../src/platform/config/platform-settings.ts';

let directory: string;
let contexts: Contexts;
let key: string;
let data: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-target-'));
  contexts = new Contexts(join(directory, 'configuration'));
  key = join(directory, 'key');
  data = join(directory, 'data');
  writeFileSync(key, 'pp_0123456789\n', { mode: 0o600 });
});
afterEach(() => rmSync(directory, { recursive: true }));

function login(name: string, service: 'trust' | 'staffing' = 'trust'): void {
  contexts.write({
    name,
    url: `https://${name}.example/`,
    service,
    keyFile: key,
    account: null,
    operations: {},
  });
}

function createData(): void {
  mkdirSync(data);
  writeFileSync(join(data, 'trust.db'), '');
}

/** Returns what is chosen: the URL and context, or `data`. */
function chosen(options: TargetOptions, env: NodeJS.ProcessEnv = {}, choose = chooseTarget): string {
  const settings = platformSettings({ port: 1, data, allowsMemory: true });
  const own = {
    service: 'trust',
    database: 'trust.db',
    data: settings.data,
    allowSharedData: settings.allowSharedData,
    config: settings.config,
  } as const;
  const target = choose(options, own, env, contexts);
  return target.kind === 'data' ? 'data' : target.label;
}

test('without anything, the data directory is meant, and with a login the current context', () => {
  createData();
  expect(chosen({})).toBe('data');
  login('prod');
  expect(chosen({})).toBe('data');
  rmSync(data, { recursive: true });
  contexts.use('prod');
  expect(chosen({})).toBe('https://prod.example (context prod)');
});

test('a current context and a data directory are not guessed between', () => {
  login('prod');
  contexts.use('prod');
  createData();
  expect(() => chosen({})).toThrow('it is not clear whether');
  expect(chosen({ data })).toBe('data');
  expect(chosen({ context: 'prod' })).toBe('https://prod.example (context prod)');
});

test.each(['COUNTERSIGN_DATA', 'COUNTERSIGN_CONFIG'])(
  'a current context and %s are not guessed between',
  (variable) => {
    login('prod');
    contexts.use('prod');
    expect(() => chosen({}, { [variable]: '/srv/x' })).toThrow('it is not clear whether');
  },
);

test.each<[string, TargetOptions, NodeJS.ProcessEnv]>([
  ['--data and --context', { data: 'x', context: 'prod' }, {}],
  ['--data and --url', { data: 'x', url: 'https://a.example' }, {}],
  ['--context and --url', { context: 'prod', url: 'https://a.example' }, {}],
  ['--data and COUNTERSIGN_CONTEXT', { data: 'x' }, { COUNTERSIGN_CONTEXT: 'prod' }],
  ['--url and COUNTERSIGN_CONTEXT', { url: 'https://a.example' }, { COUNTERSIGN_CONTEXT: 'prod' }],
  ['--context and another COUNTERSIGN_CONTEXT', { context: 'ci' }, { COUNTERSIGN_CONTEXT: 'prod' }],
  [
    'COUNTERSIGN_CONTEXT and COUNTERSIGN_DATA',
    {},
    { COUNTERSIGN_CONTEXT: 'prod', COUNTERSIGN_DATA: '/srv/x' },
  ],
  [
    'COUNTERSIGN_CONTEXT and COUNTERSIGN_CONFIG',
    {},
    { COUNTERSIGN_CONTEXT: 'prod', COUNTERSIGN_CONFIG: '/srv/x.toml' },
  ],
  ['--config and --context', { config: 'x.toml', context: 'prod' }, {}],
])('%s are two targets', (_, options, env) => {
  login('prod');
  login('ci');
  expect(() => chosen(options, env)).toThrow('name two targets');
});

test('COUNTERSIGN_CONTEXT is stronger than the current context', () => {
  login('prod');
  login('ci');
  contexts.use('prod');
  expect(chosen({}, { COUNTERSIGN_CONTEXT: 'ci' })).toBe('https://ci.example (context ci)');
  expect(() => chosen({}, { COUNTERSIGN_CONTEXT: 'old' })).toThrow('there is no context old');
});

test('--context decides between COUNTERSIGN_CONTEXT and COUNTERSIGN_DATA', () => {
  login('prod');
  const env = { COUNTERSIGN_CONTEXT: 'prod', COUNTERSIGN_DATA: '/srv/x' };
  expect(chosen({ context: 'prod' }, env)).toBe('https://prod.example (context prod)');
});

test('a URL takes its key from a file, which others must not read', () => {
  expect(chosen({ url: 'https://a.example', apiKeyFile: key })).toBe('https://a.example');
  expect(chosen({ url: 'https://a.example' })).toBe('https://a.example');
  expect(() => chosen({ apiKeyFile: key })).toThrow('--api-key-file needs --url');
  chmodSync(key, 0o644);
  expect(() => chosen({ url: 'https://a.example', apiKeyFile: key })).toThrow('other users can read');
});

test('a key file must contain a key, and an error does not quote it', () => {
  writeFileSync(key, 'pp_0123456789 and more');
  expect(() => chosen({ url: 'https://a.example', apiKeyFile: key })).toThrow(`${key} contains no API key`);
});

test('a context of another service is refused', () => {
  login('staff', 'staffing');
  expect(() => chosen({ context: 'staff' })).toThrow('is of the staffing service');
});

test('a command without a data directory has the service that is named, else that of the current context', () => {
  const service = (options: Parameters<typeof chooseService>[0], env: NodeJS.ProcessEnv = {}) => {
    const { context, url } = chooseService(options, { service: 'trust' }, env, contexts);
    return [context, url];
  };
  expect(() => service({})).toThrow('this command needs a service');
  login('prod');
  login('test');
  contexts.use('prod');
  createData();
  expect(service({})).toEqual(['prod', 'https://prod.example']);
  expect(service({}, { COUNTERSIGN_CONTEXT: 'test' })).toEqual(['test', 'https://test.example']);
  expect(service({ context: 'test' }, { COUNTERSIGN_CONTEXT: 'test' })).toEqual([
    'test',
    'https://test.example',
  ]);
  expect(service({ url: 'https://other.example', apiKeyFile: key })).toEqual([null, 'https://other.example']);
  expect(() => service({ context: 'prod', url: 'https://other.example' })).toThrow('name two targets');
  expect(() => service({ context: 'prod' }, { COUNTERSIGN_CONTEXT: 'test' })).toThrow('name two targets');
  expect(() => service({ apiKeyFile: key })).toThrow('--api-key-file needs --url');
  login('staff', 'staffing');
  expect(() => service({ context: 'staff' })).toThrow('is of the staffing service');
});

test('without a context and without data, the error names the ways to a service and to a directory', () => {
  expect(() => chosen({})).toThrow('there is no login context, and no trust.db in');
});

test('a command that needs a key takes a service only, whatever data is there', () => {
  createData();
  const service = (options: TargetOptions, env: NodeJS.ProcessEnv = {}): string =>
    chosen(options, env, chooseService);
  expect(() => service({})).toThrow('this command needs a service');
  login('prod');
  login('ci');
  contexts.use('prod');
  expect(service({}, { COUNTERSIGN_DATA: data })).toBe('https://prod.example (context prod)');
  expect(service({}, { COUNTERSIGN_CONTEXT: 'ci' })).toBe('https://ci.example (context ci)');
  expect(service({ url: 'https://a.example', apiKeyFile: key })).toBe('https://a.example');
  expect(() => service({ apiKeyFile: key })).toThrow('--api-key-file needs --url');
  expect(() => service({ context: 'prod', url: 'https://a.example' })).toThrow('name two targets');
});
