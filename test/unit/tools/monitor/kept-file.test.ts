import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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

test('a file of kept checkpoints has at most so many lines, also after another start, and after some were removed', () => {
  const own = join(directory, 'lines');
  mkdirSync(own);
  const file = new KeptFile(own, 2 ** 30, 3);
  expect(file.append(['one\n', 'two\n'])).toBe(true);
  expect(file.append(['three\n', 'four\n'])).toBe(false);
  expect(new KeptFile(own, 2 ** 30, 3).append(['three\n', 'four\n'])).toBe(false);
  // A killed process left a part of a line.
  appendFileSync(file.path, '{"note":"thr');
  expect(file.append(['three\n'])).toBe(true);
  expect(file.append(['four\n'])).toBe(false);
  writeFileSync(file.path, '{"note":"one\\n"}\n');
  expect(file.append(['four\n', 'five\n'])).toBe(true);
  expect(file.append(['six\n'])).toBe(false);
  expect(
    readFileSync(file.path, 'utf8')
      .match(/one|four|five|\n/g)
      ?.join(''),
  ).toBe('one\nfour\nfive\n');
});

test('a file of kept checkpoints that cannot be written is named', () => {
  const other = join(directory, 'other');
  mkdirSync(join(other, 'checkpoints.ndjson'), { recursive: true });
  expect(() => new KeptFile(other).append(['one\n'])).toThrow(/checkpoints\.ndjson cannot be written/);
});
