import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Contexts } from '../../../../src/platform/client/contexts.ts';

let directory: string;
let contexts: Contexts;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-contexts-'));
  contexts = new Contexts(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

const PROD = {
  name: 'prod',
  url: 'https://trust.example/',
  service: 'trust',
  keyFile: '/run/key',
  account: 'op_cus_1',
  operations: { getReceipt: 'GET /api/v1/receipts/{id}' },
} as const;
const fileOf = (name: string) => join(directory, 'contexts', `${name}.json`);

test('without a login there are no contexts, and none is the current one', () => {
  expect(contexts.names()).toEqual([]);
  expect(contexts.current()).toBeNull();
  expect(() => contexts.read('prod')).toThrow('there is no context prod');
});

test('a context is read as it was written, and only its owner may read its file', () => {
  contexts.write(PROD);
  contexts.write({ ...PROD, name: 'ci' });
  contexts.use('ci');
  expect(contexts.read('prod')).toEqual(PROD);
  expect(contexts.names()).toEqual(['ci', 'prod']);
  expect(contexts.current()).toBe('ci');
  expect(statSync(fileOf('prod')).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, 'contexts')).mode & 0o777).toBe(0o700);
});

test('removing a context removes the key that a login stored, and no other file', () => {
  const ownKey = join(directory, 'own-key');
  writeFileSync(ownKey, 'pp_0');
  contexts.write({ ...PROD, keyFile: ownKey });
  contexts.write({ ...PROD, name: 'ci', keyFile: contexts.writeKey('ci', 'pp_1') });
  contexts.use('ci');
  expect(readFileSync(contexts.read('ci').keyFile, 'utf8')).toBe('pp_1\n');
  contexts.remove('ci');
  contexts.remove('prod');
  expect(existsSync(join(directory, 'contexts', 'ci.key'))).toBe(false);
  expect(existsSync(ownKey)).toBe(true);
  expect(contexts.current()).toBeNull();
});

test('a current context whose file is gone counts as none', () => {
  contexts.write(PROD);
  contexts.use('prod');
  rmSync(fileOf('prod'));
  expect(contexts.current()).toBeNull();
});

test('a file that others can read is refused, and says what to do', () => {
  contexts.write(PROD);
  chmodSync(fileOf('prod'), 0o640);
  expect(() => contexts.read('prod')).toThrow('other users can read the context');
});

test.each(['', '.', '..', '../prod', 'a/b', '-x', 'a b', 'x'.repeat(65), 'prod\u0000', 'prod\n'])(
  'the name %j is refused, so that no file outside is written or read',
  (name) => {
    expect(() => contexts.write({ ...PROD, name })).toThrow('cannot be the name of a context');
    expect(() => contexts.writeKey(name, 'pp_0')).toThrow('cannot be the name of a context');
    expect(() => contexts.read(name)).toThrow('there is no context');
    expect(() => contexts.remove(name)).toThrow('there is no context');
  },
);

describe('a file of a context', () => {
  const FILE = { url: PROD.url, service: 'trust', key_file: '/run/key', operations: {} };
  test.each([
    ['that is no JSON', 'url = x'],
    ['that is a list', '[]'],
    ['without a URL', JSON.stringify({ ...FILE, url: undefined })],
    ['with what is no URL', JSON.stringify({ ...FILE, url: 'trust' })],
    ['of another service', JSON.stringify({ ...FILE, service: 'witness' })],
    ['without a key file', JSON.stringify({ ...FILE, key_file: null })],
    ['with a member twice', '{"url":"https://a.example","url":"https://b.example"}'],
    ['without operations', JSON.stringify({ ...FILE, operations: 7 })],
  ])('%s is refused', (_, text) => {
    contexts.write(PROD);
    writeFileSync(fileOf('prod'), text);
    expect(() => contexts.read('prod')).toThrow('is not a login context');
  });

  test('loses operations that lead to another place', () => {
    contexts.write(PROD);
    const operations = {
      getReceipt: 'GET /api/v1/receipts/{id}',
      listReceipts: 'GET //evil.example/receipts',
      getProfile: 'GET https://evil.example/',
      issueReceipt: 'TRACE /api/v1/receipts',
    };
    writeFileSync(fileOf('prod'), JSON.stringify({ ...FILE, operations }));
    expect(contexts.read('prod').operations).toEqual({ getReceipt: operations.getReceipt });
  });
});
