import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTABLE, scratch } from '../../support/process.ts';
import { vectorText } from '../../support/vectors.ts';

/** Runs the step of action.yml that verifies, as docs/testing.md describes it. */

const ROOT = join(import.meta.dir, '../../..');

interface Action {
  runs: { steps: { name: string; env?: Record<string, string>; run: string }[] };
}

const { runs }: Action = Object(Bun.YAML.parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')));
const files = scratch();
beforeAll(() => {
  mkdirSync(join(files.path, 'some receipts'));
  const text = vectorText('receipt/refusal.json');
  writeFileSync(join(files.path, 'some receipts/good.json'), text);
  writeFileSync(join(files.path, 'changed.json'), text.replace('"custody"', '"competence"'));
  writeFileSync(join(files.path, 'hostile.json'), '::error::injected\n```\n# heading');
  writeFileSync(join(files.path, 'keys.json'), vectorText('receipt/keys.json'));
});
afterAll(() => files.dispose());

async function verified(lines: string) {
  const summary = join(files.path, `summary-${crypto.randomUUID()}`);
  writeFileSync(summary, '');
  const step = runs.steps.find(({ name }) => name === 'Verify');
  const env = {
    ...process.env,
    ...{ FILES: lines, KEYS: 'keys.json', POLICY: '', EXECUTABLE, GITHUB_STEP_SUMMARY: summary },
  };
  expect(Object.keys(step?.env ?? {})).toEqual(['FILES', 'KEYS', 'POLICY', 'EXECUTABLE']);
  const command = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''];
  const child = Bun.spawn(command, { cwd: files.path, env, stdout: 'pipe', stderr: 'inherit' });
  const stdout = await new Response(child.stdout).text();
  return { code: await child.exited, stdout, summary: readFileSync(summary, 'utf8') };
}

test('valid documents pass, by names and patterns with spaces', async () => {
  const { code, stdout, summary } = await verified('some receipts/*.json\n\n');
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 verified, 0 failed')]);
  expect(summary).toStartWith('    valid some receipts/good.json\n    valid: The receipt is authentic');
});

test.each([
  ['a changed document', 'some receipts/good.json\nchanged.json', '2 verified, 1 failed'],
  ['a file that is missing', 'some receipts/good.json\nmissing.json', '2 verified, 1 failed'],
  ['a pattern that fits no file', 'some receipts/good.json\nnone/*.json', '1 verified, 1 failed'],
  ['no file', '', '0 verified, 0 failed'],
  ['an option in place of a file', '--help', '1 verified, 1 failed'],
])('%s fails the build', async (_, lines, count) => {
  const { code, stdout } = await verified(lines);
  expect([code, stdout]).toEqual([1, expect.stringContaining(count)]);
});

test('what a document says is no command of the runner, and no Markdown', async () => {
  const { stdout, summary } = await verified('hostile.json\n::error::name');
  expect(stdout.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
  expect(summary.split('\n').filter((line) => line !== '' && !line.startsWith('    '))).toEqual([]);
});
