import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeDataDirectory } from '../../../src/platform/data-directory.ts';

test('a data directory is refused when its lock is damaged, cannot be opened, or its path is below a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-lock-'));
  const lock = join(directory, 'lock');
  writeFileSync(lock, 'x'.repeat(4096));
  expect(() => takeDataDirectory(directory)).toThrow(`${lock} is damaged`);
  expect(() => takeDataDirectory(join(lock, 'data'))).toThrow('cannot be made');
  rmSync(lock);
  const held = takeDataDirectory(directory);
  expect(() => takeDataDirectory(directory)).toThrow('is in use by another countersign');
  held.release();
  rmSync(directory, { recursive: true });
});
