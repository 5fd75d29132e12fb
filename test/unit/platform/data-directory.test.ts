import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  DataDirectoryError,
  takeDataDirectory,
  takeWritableDirectory,
} from '../../../src/platform/data-directory.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'countersign-data-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

test('a data directory is accessible only to its owner, and locked by one process at a time', () => {
  const path = join(parent, 'a', 'b');
  const first = takeDataDirectory(path);
  expect(first).toMatchObject({ path, durability: 'disk' });
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(() => takeDataDirectory(path)).toThrow(/in use by another countersign/);
  first.release();
  takeDataDirectory(path).release();
  expect(existsSync(path)).toBe(true);
});

test('a data directory knows whether its lock still is the file that it holds', () => {
  const path = join(parent, 'data');
  const first = takeDataDirectory(path);
  expect(first.isHeld()).toBe(true);
  rmSync(join(path, 'lock'));
  expect(first.isHeld()).toBe(false);
  // Nothing keeps another one out then; the lock is its own.
  const second = takeDataDirectory(path);
  expect([first.isHeld(), second.isHeld()]).toEqual([false, true]);
  first.release();
  expect(second.isHeld()).toBe(true);
  second.release();
});

test('the data directory :memory: is a private one each time, gone when released', () => {
  const [one, two] = [takeDataDirectory(':memory:'), takeDataDirectory(':memory:')];
  expect(one.path).not.toBe(two.path);
  expect([one.durability, existsSync(one.path)]).toEqual(['memory', true]);
  for (const directory of [one, two]) directory.release();
  expect([existsSync(one.path), existsSync(two.path)]).toEqual([false, false]);
});

test('a private data directory is removed when its process exits, and when it was killed by the next one that is made', () => {
  const source = JSON.stringify(join(import.meta.dir, '../../../src/platform/data-directory.ts'));
  const pathOf = (end: string): string => {
    const script = `const { takeDataDirectory } = await import(${source});
      process.stdout.write(takeDataDirectory(':memory:').path);
      ${end}`;
    return Bun.spawnSync([process.execPath, '-e', script]).stdout.toString();
  };
  const left = pathOf('process.exit(130)');
  expect([left.startsWith('/'), existsSync(left)]).toEqual([true, false]);
  const killed = pathOf("process.kill(process.pid, 'SIGKILL')");
  takeDataDirectory(':memory:').release();
  expect(existsSync(killed)).toBe(true);
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(killed, old, old);
  takeDataDirectory(':memory:').release();
  expect(existsSync(killed)).toBe(false);
});

test('a private data directory whose process runs, and what a link leads to, is never removed', () => {
  const running = takeDataDirectory(':memory:');
  const old = new Date(Date.now() - 3_600_000);
  utimesSync(running.path, old, old);
  const link = join(dirname(running.path), `countersign-memory-${crypto.randomUUID()}`);
  symlinkSync(parent, link);
  utimesSync(parent, old, old);
  try {
    takeDataDirectory(':memory:').release();
    expect([existsSync(running.path), readdirSync(parent)]).toEqual([true, []]);
  } finally {
    rmSync(link);
    running.release();
  }
});

test('a data directory that cannot be made, or has something else in the place of its lock, is refused with the reason', () => {
  writeFileSync(join(parent, 'file'), '');
  expect(() => takeDataDirectory(join(parent, 'file', 'below'))).toThrow(/cannot be made/);
  mkdirSync(join(parent, 'lock'));
  expect(() => takeDataDirectory(parent)).toThrow(DataDirectoryError);
  expect(() => takeDataDirectory(parent)).toThrow(/cannot be written/);
});

test('a data directory in which every user may write is refused, with the sticky bit and through a link too', () => {
  const path = join(parent, 'shared');
  mkdirSync(path);
  const link = join(parent, 'link');
  symlinkSync(path, link);
  for (const mode of [0o777, 0o1777, 0o2777, 0o702]) {
    chmodSync(path, mode);
    for (const name of [path, link]) {
      expect(() => takeDataDirectory(name)).toThrow(`(mode ${mode.toString(8).padStart(4, '0')})`);
      expect(() => takeWritableDirectory(name)).toThrow(DataDirectoryError);
    }
  }
  // Nothing is left in it, such as a lock.
  expect(readdirSync(path)).toEqual([]);
  takeDataDirectory(path, { allowShared: true }).release();
  // As in /tmp: only the owner of a directory may replace it there.
  chmodSync(parent, 0o1777);
  takeDataDirectory(join(parent, 'own')).release();
  // The group may be the administrators.
  chmodSync(path, 0o770);
  takeDataDirectory(path).release();
});
