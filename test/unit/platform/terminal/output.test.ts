import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  isColored,
  isTerminal,
  jsonLine,
  withoutSecrets,
  writeNewFile,
} from '../../../../src/platform/terminal/output.ts';
import { printable } from '../../../../src/platform/terminal/printable.ts';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-output-'));
  path = join(directory, 'out');
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a file that a command writes is complete once it exists, and only its owner can read it', async () => {
  const result = await writeNewFile(path, async (write) => {
    await write('one\n');
    expect(readdirSync(directory)).toEqual(['out.new']);
    await write('two\n');
    return 2;
  });
  expect([result, readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([2, 'one\ntwo\n', 0o600]);
});

test('a file that a command fails to write leaves nothing behind, and replaces nothing', async () => {
  const failing = writeNewFile(path, async (write) => {
    await write('half');
    throw new Error('no more');
  });
  await expect(failing).rejects.toThrow('no more');
  expect(readdirSync(directory)).toEqual([]);
  const overtaken = writeNewFile(path, async () => writeFileSync(path, 'first'));
  await expect(overtaken).rejects.toThrow('already exists');
  await expect(writeNewFile(path, async () => undefined)).rejects.toThrow('already exists');
  expect([readdirSync(directory), readFileSync(path, 'utf8')]).toEqual([['out'], 'first']);
  writeFileSync(join(directory, 'other.new'), '');
  await expect(writeNewFile(join(directory, 'other'), async () => undefined)).rejects.toThrow(
    /other.new already exists/,
  );
  await expect(writeNewFile(join(directory, 'no', 'out'), async () => undefined)).rejects.toThrow(
    /the directory does not exist/,
  );
});

test('control characters are escaped', () => {
  expect(printable('a\u001b[2J\u009b2J\u202eb\r\u0007\u2028ü 漢 😀\nnext')).toBe(
    'a\\u001b[2J\\u009b2J\\u202eb\\u000d\\u0007\\u2028ü 漢 😀\nnext',
  );
  // A soft hyphen, a filler, a tag, a variation selector.
  expect(printable('a\u00ad\u3164\u{e0041}\ufe0f😀')).toBe('a\\u00ad\\u3164\\udb40\\udc41\\ufe0f😀');
  const value = { text: 'a\u001b\u009b\u202e"\\\n\u007f' };
  const line = jsonLine(value);
  expect(line).toMatch(/^[\x20-\x7e]+\n$/);
  expect(JSON.parse(line)).toEqual(value);
});

test.each([
  ['a terminal', true, {}, true],
  ['a pipe', undefined, {}, false],
  ['a terminal that can do nothing', true, { TERM: 'dumb' }, false],
  ['a terminal whose user wants none', true, { NO_COLOR: '1' }, false],
  ['a terminal, with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
  ['a pipe whose reader wants colors', false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['a terminal with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
])('whether %s gets colors', (_, isTTY, env, expected) => {
  expect(isColored({ isTTY }, env)).toBe(expected);
});

test('no bar is drawn where the cursor cannot be moved', () => {
  expect([
    isTerminal({ isTTY: true }, { TERM: 'xterm' }),
    isTerminal({ isTTY: true }, { TERM: 'dumb' }),
  ]).toEqual([true, false]);
  expect([isTerminal({ isTTY: false }, {}), isTerminal({}, {})]).toEqual([false, false]);
});

test('an error message contains no secret', () => {
  const hex = 'a1'.repeat(32);
  for (const prefix of ['pp', 'svc', 'adm', 'ses', 'whk', 'mpk_test', 'mpk_live', 'whsec']) {
    expect(withoutSecrets(`open '${prefix}_${hex}' (${prefix}_${hex.slice(0, 30)}!)`)).toBe(
      `open '${prefix}_…' (${prefix}_…!)`,
    );
  }
  expect(withoutSecrets('smtps://ada:pa:ssword@mail.example:465 is')).toBe(
    'smtps://ada:…@mail.example:465 is',
  );
  const plain = 'admin_token is not adm_ and 64 characters; http://127.0.0.1:3000/a@b';
  expect(withoutSecrets(plain)).toBe(plain);
});
