import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../../..');
const PICTURES = join(ROOT, 'docs/pictures');

// In a process of its own, whose randomness it replaces.
test('the pictures of the documentation show the pages as they are, or bun scripts/pictures.ts makes them', async () => {
  const { exited, stdout, stderr } = Bun.spawn(
    [process.execPath, join(ROOT, 'scripts/pictures.ts'), '--check'],
    { stdout: 'pipe', stderr: 'pipe' },
  );
  const [output, errors, code] = await Promise.all([stdout.text(), stderr.text(), exited]);
  expect([output, errors, code]).toEqual(['', '', 0]);
});

test('each picture of a page is there for the light and the dark mode, is small, and is in a page', () => {
  const digests: Record<string, string> = JSON.parse(readFileSync(join(PICTURES, 'pictures.json'), 'utf8'));
  const expected = Object.keys(digests).flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]);
  const files = readdirSync(PICTURES).filter((name) => name.endsWith('.png'));
  expect(files.sort()).toEqual(expected.sort());
  const pages = readFileSync(join(ROOT, 'README.md'), 'utf8');
  for (const file of files) {
    expect([file, statSync(join(PICTURES, file)).size < 150_000]).toEqual([file, true]);
    expect(pages).toContain(`docs/pictures/${file}`);
  }
});
