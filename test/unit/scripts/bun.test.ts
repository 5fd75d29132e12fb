import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../../package.json';

const ROOT = join(import.meta.dir, '../../..');
const PINNED = manifest.engines.bun;
let path: string;
beforeAll(() => {
  path = mkdtempSync(join(tmpdir(), 'countersign-path-'));
  // All that the script may find besides: nothing of this machine's own PATH.
  for (const tool of ['sh', 'sed']) symlinkSync(Bun.which(tool) ?? '', join(path, tool));
  program('npm', 'echo "npm $*"');
});
afterAll(() => rmSync(path, { recursive: true }));

function program(name: string, text: string): void {
  writeFileSync(join(path, name), `#!${join(path, 'sh')}\n${text}\n`);
  chmodSync(join(path, name), 0o755);
}

function ran(script: string): string {
  const command = ['sh', '-c', `${script} --port "80 80"`];
  return Bun.spawnSync(command, { cwd: ROOT, env: { PATH: path } }).stdout.toString();
}

test.each(Object.entries(manifest.scripts))('npm run %s finds Bun, on PATH or by npm', (_, script) => {
  const [, file = ''] = /(scripts\/\w+\.ts)$/.exec(script) ?? [];
  const byNpm = `npm exec --yes -- bun@${PINNED} ${file} --port 80 80\n`;
  rmSync(join(path, 'bun'), { force: true });
  expect(ran(script)).toBe(byNpm);
  program('bun', 'echo 1.0.0');
  expect(ran(script)).toBe(byNpm);
  program('bun', `if [ "$1" = --version ]; then echo ${PINNED}; else echo "bun $*"; fi`);
  expect(ran(script)).toBe(`bun ${file} --port 80 80\n`);
});

test('every page names the Bun of package.json', () => {
  for (const page of ['README.md', 'CONTRIBUTING.md', '.ci/run']) {
    const versions = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/bun@([\d.]+)/g)];
    expect([page, versions.filter(([, version]) => version !== PINNED)]).toEqual([page, []]);
  }
});
