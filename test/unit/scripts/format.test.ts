import { afterEach, beforeEach, expect, test } from 'bun:test';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-format-'));
  mkdirSync(join(directory, 'src'));
  mkdirSync(join(directory, 'test/vectors'), { recursive: true });
  for (const name of ['biome.json', '.gitignore']) copyFileSync(join(ROOT, name), join(directory, name));
  writeFileSync(join(directory, 'src/a.ts'), 'export const a = 1;\n');
});
afterEach(() => rmSync(directory, { recursive: true }));

function checked(): { code: number; output: string } {
  const command = [join(ROOT, 'node_modules/.bin/biome'), 'ci', '--colors=off', '.'];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: directory });
  return { code: exitCode, output: `${stdout}${stderr}` };
}

test('the check looks at the sources of the project, and not at what somebody tries out beside them', () => {
  for (const name of ['receipt.json', 'try.ts', 'test/vectors/vectors.json'])
    writeFileSync(join(directory, name), '{"a"  :1}');
  expect(checked()).toEqual({ code: 0, output: expect.stringContaining('Checked 2 files') });
  writeFileSync(join(directory, 'src/b.ts'), 'export const  b = 1');
  expect(checked()).toEqual({ code: 1, output: expect.not.stringContaining('\u001b') });
});
