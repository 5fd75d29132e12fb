import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEYS_FILE, keysOfCopy } from '../../../../../src/tools/monitor/keys/pinned-keys.ts';
import { FakeLog } from '../../../../support/fake-log.ts';

let state: string;
beforeAll(() => {
  state = mkdtempSync(join(tmpdir(), 'countersign-pinned-keys-'));
});
afterAll(() => rmSync(state, { recursive: true }));

describe('the log keys of a copy', () => {
  const log = new FakeLog();
  const store = (text: string): void => writeFileSync(join(state, KEYS_FILE), text);

  test('are those of its file, and those of the command line', async () => {
    store(`${log.vkey}\n`);
    const { keys } = await keysOfCopy(state, []);
    expect(keys).toHaveLength(1);
    expect((await keysOfCopy(state, [log.vkey])).keys).toEqual(keys);
    store('# retired\n');
    expect((await keysOfCopy(state, [log.vkey])).keys).toEqual(keys);
  });

  test.each([
    ['that has none', '# retired\n', /there is no trusted log key: .*\/trusted-log-keys has no keys$/],
    ['that is damaged', 'x\n', /\/trusted-log-keys, line 1: a verifier key must be/],
    [
      'of another service',
      new FakeLog('other.example').vkey,
      /is a copy of other\.example, but .* fake\.example$/,
    ],
  ])('are refused with the name of a file %s', async (_name, text, message) => {
    store(text);
    const named = text.includes('other') ? [log.vkey] : [];
    await expect(keysOfCopy(state, named)).rejects.toThrow(message);
  });

  test('are refused if their file is missing', async () => {
    rmSync(join(state, KEYS_FILE));
    await expect(keysOfCopy(state, [])).rejects.toMatchObject({
      message: expect.stringMatching(/\/trusted-log-keys is missing$/),
      hint: expect.stringContaining('--log-key'),
    });
  });
});
