import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOf } from '../../../scripts/commit.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-commit-'));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.ts'), 'a');
});
afterEach(() => rmSync(root, { recursive: true }));

function git(...args: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@firm.example', '-c', 'commit.gpgsign=false'];
  return Bun.spawnSync(['git', '-C', root, ...who, ...args])
    .stdout.toString()
    .trim();
}

test('the commit of a checkout is 12 characters, and dirty when a source changed or was added', () => {
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  const hash = git('rev-parse', 'HEAD').slice(0, 12);
  expect(hash).toMatch(/^[0-9a-f]{12}$/);
  expect(commitOf(['src'], root)).toBe(hash);
  // What somebody tries out beside the sources is in no executable.
  writeFileSync(join(root, 'receipt.json'), '{}');
  expect(commitOf(['src'], root)).toBe(hash);
  writeFileSync(join(root, 'src/b.ts'), 'b');
  expect(commitOf(['src'], root)).toBe(`${hash}-dirty`);
  rmSync(join(root, 'src/b.ts'));
  writeFileSync(join(root, 'src/a.ts'), 'changed');
  expect(commitOf(['src'], root)).toBe(`${hash}-dirty`);
});

test('sources without git have none, nor have those that lie in the repository of something else', () => {
  expect(commitOf(['.'], root)).toBeNull();
  git('init', '-q');
  expect(commitOf(['src'], root)).toBeNull();
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  expect(commitOf(['.'], join(root, 'src'))).toBeNull();
});
