import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireWritable, writeSecretFile } from '../../../../src/platform/files/write.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-secrets-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a secret file is complete, readable only by its owner, and replaces the old one', () => {
  const path = join(directory, 'key');
  for (const text of ['one', 'another, longer', new Uint8Array([1, 2, 3])]) {
    writeSecretFile(path, text);
    expect(readFileSync(path)).toEqual(Buffer.from(text));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  expect(readdirSync(directory)).toEqual(['key']);
});

test('a secret file that cannot be written fails with its name, and leaves nothing behind', () => {
  mkdirSync(join(directory, 'taken'));
  symlinkSync('/dev/null', join(directory, 'link'));
  expect(() => writeSecretFile('', 'x')).toThrow('the name of the file is empty');
  expect(() => writeSecretFile(join(directory, 'taken'), 'x')).toThrow(
    'taken exists and is not a regular file',
  );
  expect(() => writeSecretFile(join(directory, 'link'), 'x')).toThrow(
    'link exists and is not a regular file',
  );
  expect(() => requireWritable(join(directory, 'missing', 'key'))).toThrow(
    /missing\/key cannot be written \(ENOENT\)/,
  );
  const long = join(directory, 'k'.repeat(250));
  expect(() => writeSecretFile(long, 'x')).toThrow(/cannot be written \(ENAMETOOLONG\)/);
  expect(readdirSync(directory).sort()).toEqual(['link', 'taken']);
});
