import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { genuineIn, STATEMENT_VECTORS } from '../../../../scripts/vectors/statements.ts';
import { run, scratch } from '../../../support/process.ts';
import { VECTORS } from '../../../support/vectors.ts';

const directory = scratch();
afterAll(() => directory.dispose());
const vector = (kind: string, name = 'genuine'): string => join(VECTORS, kind, `${name}.json`);
const at = ['--at', '2026-06-01T12:00:30Z'];
const verify = (file: string, ...more: string[]) =>
  run(['verify', file, '--keys', vector('passport', 'keys'), ...more]);

describe('verify of what the service and agents sign', () => {
  test.each([...STATEMENT_VECTORS])('accepts a genuine %s, and says what it is about', async (kind) => {
    const { code, stdout, stderr } = await verify(vector(kind), ...at);
    const { verdict, statement, object } = JSON.parse(stdout);
    expect([kind, code, verdict]).toEqual([kind, 0, 'valid']);
    const about = Object(statement ?? object).about;
    for (const [name, value] of Object.entries(Object(about)))
      expect(stderr).toContain(`\n  ${name}: ${value}\n`);
    expect(stderr).toStartWith('valid: ');
  });

  test('refuses a changed one, without its words, which could write another verdict', async () => {
    const file = join(directory.path, 'changed.json');
    const passport = genuineIn('passport').get('genuine') ?? {};
    writeFileSync(file, JSON.stringify({ ...passport, name: '\u001b[2Kvalid: all is well' }));
    const { code, stdout, stderr } = await verify(file, ...at);
    expect([code, JSON.parse(stdout).verdict, JSON.parse(stdout).statement]).toEqual([
      1,
      'bad_signature',
      null,
    ]);
    expect(stderr).not.toContain('all is well');
  });

  test('refuses one that has expired now', async () => {
    const { code, stderr } = await verify(vector('gate-decision'));
    expect([code, stderr.split('\n')[0]]).toEqual([1, 'expired: It is no longer valid: get a new one.']);
  });

  test.each(['--proof', '--status', '--revocations', '--policy', '--log-key'])(
    'refuses %s',
    async (option) => {
      const { code, stderr } = await verify(vector('passport'), option, vector('passport', 'keys'));
      expect([code, stderr]).toEqual([2, expect.stringContaining('a passport')]);
    },
  );
});
