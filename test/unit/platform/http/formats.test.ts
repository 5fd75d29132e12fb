import { expect, test } from 'bun:test';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../../..');

/** Checks a text in a process of its own, which like fsck has schemas but no HTTP server. */
function accepted(text: string): string {
  const program = `
    import { Value } from '@sinclair/typebox/value';
    import { dateTime } from './src/platform/http/schema.ts';
    console.log(Value.Check(dateTime('A time.'), process.argv[1]));`;
  const { stdout } = Bun.spawnSync([process.execPath, '-e', program, text], { cwd: ROOT });
  return stdout.toString().trim();
}

test.each([
  ['2026-05-01T11:00:00Z', 'true'],
  ['1/2/2027', 'false'],
])('a process without a server knows the formats of schemas: %s is a date-time, %s', (text, expected) => {
  expect(accepted(text)).toBe(expected);
});
