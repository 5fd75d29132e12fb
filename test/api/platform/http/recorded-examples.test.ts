import { expect, test } from 'bun:test';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dir, '../../../../scripts/record-examples.ts');

// In a process of its own, whose randomness it replaces.
test('the examples of responses are not stale, or bun scripts/record-examples.ts writes them', async () => {
  const { exited, stdout, stderr } = Bun.spawn([process.execPath, SCRIPT, '--check'], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, errors, code] = await Promise.all([stdout.text(), stderr.text(), exited]);
  expect([output, errors, code]).toEqual(['', '', 0]);
});
