import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptFile } from '../../../../src/tools/monitor/kept-file.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-kept-file-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('a file of kept checkpoints has at most so many bytes, and is private', () => {
  const file = new KeptFile(directory, 40);
  expect(file.append([])).toBe(true);
  expect(file.append(['one\n'])).toBe(true);
  expect(file.append(['two\n', 'three\n'])).toBe(false);
  expect(file.append(['two\n'])).toBe(true);
  expect(readFileSync(file.path, 'utf8')).toBe('{"note":"one\\n"}\n{"note":"two\\n"}\n');
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
});

test('a file of kept checkpoints that cannot be written is named', () => {
  const other = join(directory, 'other');
  mkdirSync(join(other, 'checkpoints.ndjson'), { recursive: true });
  expect(() => new KeptFile(other).append(['one\n'])).toThrow(/checkpoints\.ndjson cannot be written/);
});
