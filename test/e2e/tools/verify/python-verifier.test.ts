import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../../src/proof/encoding/json.ts';
import { formatVerifierKey } from '../../../../src/proof/log/note.ts';
import { run, scratch } from '../../../support/process.ts';
import { hasPython, runPython } from '../../../support/python.ts';
import { testKey, verifierOf } from '../../../support/small-log.ts';
import { example, keysDocument } from '../../../support/worked-example.ts';
import { blocks } from '../../../support/worked-page.ts';

const directory = scratch();
const file = (name: string): string => join(directory.path, name);
const save = (name: string, content: string): string => {
  writeFileSync(file(name), content);
  return file(name);
};
afterAll(() => directory.dispose());

/** The example's keys, of which that of the log was reported as compromised. */
const stolenKeys = (): string => {
  const rows: JsonObject[] = JSON.parse(JSON.stringify(keysDocument.keys));
  return JSON.stringify({
    keys: rows.map((row) => (row.purpose === 'receipts-log' ? { ...row, status: 'compromised' } : row)),
  });
};

for (const [name, text] of blocks) save(name, text);
const keys = file('keys.json');
const at = ['--at', example.at];
const receipt = file('receipt.json');
const all = [receipt, '--keys', keys, '--proof', file('receipt.tlog-proof'), '--status', file('status.json')];
const stranger = formatVerifierKey(verifierOf(testKey(9), example.log.origin));
const missing = file('missing');
/** The example's receipt several times, one a line. */
const many = (count: number): string =>
  `${JSON.stringify(JSON.parse(blocks.get('receipt.json') ?? ''))}\n`.repeat(count);
const cases: [code: number, ...args: string[]][] = [
  [0, ...all, ...at],
  [0, ...all, ...at, '--log-key', stranger, '--log-key', example.logKey],
  [1, ...all],
  // Times.
  [2, ...all, '--at', 'x'],
  [2, ...all, '--at', '2026-06-01'],
  [1, ...all, '--at', '0000-01-01T00:00:00Z', '--status', save('old', '{}')],
  [0, receipt, '--keys', keys, '--at', '0000-01-01T00:00:00Z'],
  [1, receipt, '--keys', keys, '--at', '9999-12-31T23:59:59Z'],
  // What is missing, in the wrong place, or called wrongly.
  [2],
  [2, receipt],
  [2, ...all, '--colour', 'red'],
  [2, missing, '--keys', keys, ...at],
  [2, receipt, '--keys', missing, ...at],
  [1, ...all, ...at, '--proof', missing],
  [1, ...all, ...at, '--status', missing],
  [1, directory.path, '--keys', keys, ...at],
  [1, receipt, '--keys', receipt, ...at],
  [1, receipt, '--keys', file('receipt.tlog-proof'), ...at],
  [1, ...all, ...at, '--proof', receipt],
  [1, ...all, ...at, '--status', receipt],
  [1, save('brace', '{'), '--keys', keys, ...at],
  // Lists of receipts.
  [0, save('list', many(2)), '--keys', keys, ...at],
  [1, file('list'), '--keys', keys, '--at', '9999-12-31T23:59:59Z'],
  [1, save('changed', `${many(2)}{}\n`), '--keys', keys, ...at],
  [1, save('blank', '\n'), '--keys', keys, ...at, '--ndjson'],
  [2, file('list'), '--keys', keys, ...at, '--proof', file('receipt.tlog-proof')],
  [2, file('list'), '--keys', keys, ...at, '--log', directory.path],
  // Keys of logs.
  [2, receipt, '--keys', keys, ...at, '--log-key', example.logKey],
  [2, ...all, ...at, '--log-key', 'nonsense'],
  [2, ...all, ...at, '--log-key', 'a+b+c'],
  [2, ...all, ...at, '--log-key', example.logKey.replace('+', '+0')],
  [2, ...all, ...at, '--log-key', example.logKey.slice(0, -4)],
  [1, ...all, ...at, '--keys', save('stolen', stolenKeys()), '--log-key', example.logKey],
  [1, ...all, ...at, '--keys', file('stolen'), '--log-key', stranger, '--log-key', example.logKey],
];

describe.skipIf(!hasPython)('src/tools/python/verify.py ends as `countersign verify` does', () => {
  for (const [code, ...args] of cases) {
    const said = args.map((arg) => arg.replace(`${directory.path}/`, '').slice(0, 40)).join(' ');
    test(`${code}: ${said}`, async () => {
      const ours = await run(['verify', ...args]);
      const theirs = runPython(...args);
      expect([ours.code, theirs.code]).toEqual([code, code]);
      expect(theirs.stderr).not.toContain('Traceback');
    });
  }

  test('and reads a proof from a pipe once', async () => {
    const pipe = file('piped.tlog-proof');
    expect(Bun.spawnSync(['mkfifo', pipe]).exitCode).toBe(0);
    const write = Bun.spawn(['sh', '-c', 'cat "$1" > "$2"', 'sh', file('receipt.tlog-proof'), pipe]);
    const { code, stdout } = runPython(receipt, '--keys', keys, '--proof', pipe, ...at);
    expect([code, JSON.parse(stdout).checks.proof]).toEqual([0, 'ok']);
    await write.exited;
  });

  test('and waits for no pipe in a copy of a log', () => {
    mkdirSync(file('log/keys'), { recursive: true });
    expect(Bun.spawnSync(['mkfifo', file('log/keys/checkpoint')]).exitCode).toBe(0);
    const list = save('list-of-keys.json', '{"keys":[],"log":{}}');
    const { code, stderr } = runPython(list, '--keys', keys, '--log', file('log'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('is not a regular file')]);
  });
});
