import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, scratch } from '../../support/process.ts';

const directory = scratch();
afterAll(directory.dispose);
const file = (name: string): string => join(directory.path, name);

describe('generate', () => {
  test('writes the same file for the same seed, and replaces an existing one only with --force', async () => {
    const full = file('npidata_pfile_20050523-20260111.csv');
    const args = ['generate', '--rows', '2500', '--out', full];
    expect(await run(args)).toEqual({ code: 0, stdout: '', stderr: `${full}: 2,500 rows\n` });
    const first = readFileSync(full, 'utf8');
    expect(first.split('\n')).toHaveLength(2502);
    const again = await run(args);
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/csv already exists\n.*--force/)]);
    writeFileSync(full, 'x');
    expect((await run([...args, '--force'])).code).toBe(0);
    expect(readFileSync(full, 'utf8')).toBe(first);
    expect(readdirSync(directory.path)).toEqual(['npidata_pfile_20050523-20260111.csv']);
  });

  test('writes the changes of a week and a list of deactivated NPIs', async () => {
    const weekly = await run([
      'generate',
      '--kind',
      'weekly',
      '--of',
      '2500',
      '--rows',
      '100',
      '--out',
      file('w.csv'),
    ]);
    expect([weekly.code, weekly.stderr]).toEqual([0, `${file('w.csv')}: 100 rows\n`]);
    const list = await run(['generate', '--kind', 'deactivated', '--of', '2500', '--out', file('d.csv')]);
    expect(list.code).toBe(0);
    expect(readFileSync(file('d.csv'), 'utf8')).toStartWith('NPPES Deactivated Records as of Jan 12 2026,\n');
  });

  test('refuses wrong numbers, and directories that do not exist', async () => {
    for (const args of [
      ['--rows', '0'],
      ['--rows', '50000001'],
      ['--seed', 'x'],
      ['--kind', 'daily'],
    ]) {
      expect((await run(['generate', ...args, '--out', file('x.csv')])).code).toBe(2);
    }
    const list = await run(['generate', '--kind', 'deactivated', '--rows', '5', '--out', file('x.csv')]);
    expect([list.code, list.stderr]).toEqual([2, expect.stringContaining('specify --of')]);
    const nowhere = await run(['generate', '--rows', '5', '--out', file('none/x.csv')]);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining('the directory does not exist'),
    ]);
    expect(existsSync(file('x.csv'))).toBe(false);
  });
});
