import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileDigests } from '../../../../../src/trust/commands/values/file-digests.ts';

const DIGESTS = { input: 'input_digest', output: 'output_hash' };
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
let directory: string;
const file = (name: string) => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-digests-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test.each([
  ['empty', new Uint8Array()],
  ['text', new TextEncoder().encode('hello\n')],
  ['no UTF-8', new Uint8Array([0, 255, 13, 10, 254])],
  ['larger than what is read at once', new Uint8Array(1_000_001).fill(7)],
])('a file is replaced by the SHA-256 of its bytes: %s', async (name, bytes) => {
  writeFileSync(file(name), bytes);
  const input_digest = createHash('sha256').update(bytes).digest('hex');
  const sent = await fileDigests({ agent_id: 'clerk', input: file(name) }, DIGESTS);
  expect(sent).toEqual({ agent_id: 'clerk', input_digest });
});

test('standard input is -', async () => {
  const { href } = new URL('../../../../../src/trust/commands/values/file-digests.ts', import.meta.url);
  const code = `import { fileDigests } from ${JSON.stringify(href)};
    console.log(JSON.stringify(await fileDigests({ input: '-' }, { input: 'input_digest' })));`;
  const child = Bun.spawn([process.execPath, '-e', code], { stdin: new Blob([]), stdout: 'pipe' });
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual({ input_digest: EMPTY });
});

test('values without a file stay as they are', async () => {
  const values = { agent_id: 'clerk', input_digest: EMPTY };
  expect(await fileDigests(values, DIGESTS)).toEqual(values);
});

test('a file and a digest for one member are refused before the file is read', async () => {
  const values = { output: file('missing'), output_hash: EMPTY };
  await expect(fileDigests(values, DIGESTS)).rejects.toMatchObject({
    message: 'output_hash is given twice: as a file and as a digest',
    exitCode: 2,
  });
});

test.each([
  ['that does not exist', () => file('missing'), /missing cannot be read: the file does not exist$/, 2],
  ['that is a directory', () => directory, / is a directory$/, 1],
])('a file %s is refused', async (_, path, message, exitCode) => {
  await expect(fileDigests({ input: path() }, DIGESTS)).rejects.toMatchObject({
    message: expect.stringMatching(message),
    exitCode,
  });
});
