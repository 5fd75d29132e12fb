import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesOf, gathered, readFile, readText, sizeOf } from '../../../../src/platform/files/read.ts';

let directory: string;
let pipe: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-input-'));
  pipe = join(directory, 'pipe');
  Bun.spawnSync(['mkfifo', pipe]);
});
afterEach(() => rmSync(directory, { recursive: true }));

const IDLE = { idleMs: 100 };
const whole = async (path: string): Promise<string> =>
  Buffer.from(await gathered(path, bytesOf(path, IDLE), 1024)).toString();

describe('a file that a user names', () => {
  test('is read completely when it is a regular one, and its size is known', async () => {
    const path = join(directory, 'file');
    writeFileSync(path, 'größer');
    expect([readText(path), await whole(path), sizeOf(path)]).toEqual(['größer', 'größer', 8]);
    writeFileSync(path, '');
    expect([readText(path), await whole(path), sizeOf(path)]).toEqual(['', '', 0]);
  });

  test('is refused beyond its limit, for every kind of file', async () => {
    const path = join(directory, 'file');
    writeFileSync(path, 'x'.repeat(1025));
    expect(() => readFile(path, { maxBytes: 1024 })).toThrow('is larger than');
    await expect(whole(path)).rejects.toThrow('is larger than');
    expect(readFile(path, { maxBytes: 1025 })).toHaveLength(1025);
  });

  test.each([
    ['a directory', tmpdir(), 'is a directory'],
    ['a device that never ends', '/dev/zero', 'is a device'],
    ['a terminal', '/dev/tty', /is a device/],
  ])('is refused when it is %s', async (_, path, message) => {
    expect(() => readFile(path)).toThrow(message);
    await expect(whole(path)).rejects.toThrow(message);
  });

  test('may be /dev/null, which is empty', async () => {
    expect([readText('/dev/null'), await whole('/dev/null')]).toEqual(['', '']);
  });

  test('that is not there fails with the error of the system, or with a sentence that names it', async () => {
    const path = join(directory, 'missing');
    expect(() => readFile(path)).toThrow('ENOENT');
    await expect(whole(path)).rejects.toThrow(`${path} cannot be read: the file does not exist`);
    expect(sizeOf(path)).toBe(0);
  });
});

describe('a pipe', () => {
  test('is read to its end, even if its writer comes late', async () => {
    const write = `sleep 0.05; printf 'one\\n'; sleep 0.05; head -c 300000 /dev/zero | tr '\\0' x`;
    for (const read of [async () => readText(pipe), () => gathered(pipe, bytesOf(pipe), 2 ** 20)]) {
      const writer = Bun.spawn(['sh', '-c', `{ ${write}; } > "$0"`, pipe]);
      const text = Buffer.from(await read()).toString();
      expect([text.length, text.slice(0, 5)]).toEqual([300_004, 'one\nx']);
      expect(await writer.exited).toBe(0);
    }
  });

  test('without a writer fails after the timeout', async () => {
    expect(() => readFile(pipe, IDLE)).toThrow('is a pipe that gave no data for 0.1 seconds');
    await expect(whole(pipe)).rejects.toThrow('is a pipe that gave no data for 0.1 seconds');
  });

  test('whose writer stops writing fails after the timeout', async () => {
    const writer = Bun.spawn(['sh', '-c', `{ printf half; exec sleep 60; } > "$0"`, pipe]);
    await expect(whole(pipe)).rejects.toThrow('gave no data');
    writer.kill('SIGKILL');
    await writer.exited;
  });
});
