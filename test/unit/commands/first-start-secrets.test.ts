import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announcedSecrets, type Surroundings } from '../../../src/commands/first-start-secrets.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-first-'));
  file = join(directory, 'first-start.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

const MADE = {
  about: ['  Operator id    op_1'],
  lines: ['  API key        pp_1'],
  names: { operator_id: 'op_1' },
  values: { api_key: 'pp_1' },
  isConfigured: false,
};

/** Returns the printed lines as a text; without a terminal, unless `changes` say otherwise. */
function shown(changes: Partial<Surroundings> = {}, made = MADE): string {
  const without = { directory, isTemporary: false, readyFile: null, print: false, isTerminal: false };
  return announcedSecrets(made, { ...without, ...changes }).join('\n');
}

test.each<[string, Partial<Surroundings>]>([
  ['on a terminal', { isTerminal: true }],
  ['with --print-secrets', { print: true, readyFile: '/ready.json' }],
  ['in a temporary directory without a ready file', { isTemporary: true }],
])('%s the secrets of a start are printed, and in no file', (_where, changes) => {
  expect(shown(changes)).toContain('pp_1');
  expect(existsSync(file)).toBe(false);
});

test.each<[string, Partial<Surroundings>]>([
  ['without a terminal', {}],
  ['with a ready file', { isTerminal: true, readyFile: '/ready.json' }],
  ['in a temporary directory with a ready file', { isTemporary: true, readyFile: '/ready.json' }],
])('%s they are in a file that only its owner can read, and stdout names it', (_where, changes) => {
  const text = shown(changes);
  expect(text).toContain(file);
  expect(text).toContain('op_1');
  expect(text).not.toContain('pp_1');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ operator_id: 'op_1', api_key: 'pp_1' });
});

test('secrets of the configuration are never written, and in a temporary directory none is printed beside them', () => {
  const configured = announcedSecrets(
    { ...MADE, lines: ['  API key        as configured'], values: {}, isConfigured: true },
    { directory, isTemporary: false, readyFile: null, print: false, isTerminal: false },
  );
  expect(configured).toEqual(['  Operator id    op_1', '  API key        as configured']);
  expect(existsSync(file)).toBe(false);
  expect(shown({ isTemporary: true }, { ...MADE, isConfigured: true })).not.toContain('pp_1');
});

test('a later start adds what it makes to the file, replaces one that is damaged, and writes through no link', () => {
  writeFileSync(file, '{"admin_token": "adm_1", "api_key": "old"}');
  shown();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    admin_token: 'adm_1',
    operator_id: 'op_1',
    api_key: 'pp_1',
  });
  writeFileSync(file, 'not JSON');
  shown();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ operator_id: 'op_1', api_key: 'pp_1' });
  rmSync(file);
  symlinkSync(join(directory, 'elsewhere'), file);
  expect(() => shown()).toThrow(/not a regular file/);
});
