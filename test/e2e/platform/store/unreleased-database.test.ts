import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { staffingDatabase } from '../../../../src/staffing/service/database.ts';
import { trustDatabase } from '../../../../src/trust/service/database.ts';
import { witnessDatabase } from '../../../../src/witness/database.ts';
import { run, scratch } from '../../../support/process.ts';
import { unreleasedDatabase } from '../../../support/unreleased.ts';
import { SmallLog } from '../../../support/witness.ts';

let directory: ReturnType<typeof scratch>;
beforeEach(() => {
  directory = scratch();
});
afterEach(() => directory.dispose());

const STAFFING = ['--service', 'staffing'];
const SCHEMAS = {
  trust: trustDatabase.schema,
  staffing: staffingDatabase.schema,
  witness: witnessDatabase.schema,
};

test.each([
  [
    'trust',
    [
      ['serve', '--port', '0'],
      ['serve', '--port', '0', '--read-only'],
      ['migrate'],
      ['migrate', '--dry-run'],
      ['backup', 'COPY'],
      ['fsck'],
      ['keys', 'rotate', '--yes', '--purpose', 'receipts-log'],
      ['log', 'restart'],
      ['receipts', 'export'],
      ['operators', 'list'],
    ],
  ],
  [
    'staffing',
    [
      ['serve', '--port', '0', ...STAFFING],
      ['migrate', ...STAFFING],
      ['migrate', '--dry-run', ...STAFFING],
      ['backup', 'COPY', ...STAFFING],
      ['partners', 'list'],
      ['jobs', 'list'],
      ['suppress', '--list'],
    ],
  ],
  ['witness', [['witness', '--port', '0', '--name', 'witness.example', '--logs', 'LOGS']]],
] as const)(
  'a database of an unreleased version of %s is refused by every command, which names the way out',
  async (service, commands) => {
    const data = join(directory.path, 'data');
    const file = join(data, `${service}.db`);
    mkdirSync(data, { mode: 0o700 });
    unreleasedDatabase(file, SCHEMAS[service]);
    const before = readFileSync(file);
    const paths: Record<string, string> = {
      COPY: join(directory.path, 'copy.db'),
      LOGS: join(directory.path, 'logs'),
    };
    writeFileSync(join(directory.path, 'logs'), `${new SmallLog('log.example').policyLines}quorum none\n`);
    for (const command of commands) {
      const args = command.map((word) => paths[word] ?? word);
      const { code, stdout, stderr } = await run([...args, '--data', data]);
      expect([args, code, stdout, stderr]).toEqual([
        args,
        1,
        '',
        expect.stringMatching(
          new RegExp(
            `error: ${file} was written by an unreleased version[^\n]*\n[^\n]*hint: .*empty data directory`,
          ),
        ),
      ]);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  },
);

test.each([
  ['trust', []],
  ['staffing', STAFFING],
] as const)('a backup of an unreleased version of %s is refused by restore', async (service, flags) => {
  const backup = join(directory.path, 'backup.db');
  unreleasedDatabase(backup, SCHEMAS[service]);
  const { code, stderr } = await run(['restore', backup, '--data', join(directory.path, 'data'), ...flags]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /backup\.db was written by an unreleased version.*\n.*hint: .*empty data directory/,
    ),
  ]);
});
