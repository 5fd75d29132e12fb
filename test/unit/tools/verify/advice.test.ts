import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandOptions } from '../../../../src/tools/verify/options/by-document.ts';
import { verify } from '../../../../src/tools/verify/verify.ts';
import { example, keysDocument } from '../../../support/worked-example.ts';
import { blocks } from '../../../support/worked-page.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-advice-'));
afterAll(() => rmSync(directory, { recursive: true }));
const save = (name: string, text: string): string => {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
};
for (const [name, text] of blocks) save(name, text);
const receipt = join(directory, 'receipt.json');
const keys = join(directory, 'keys.json');
const now = Date.parse(example.at);

/** What `verify` says to people. */
async function said(file: string, options: CommandOptions = {}): Promise<string> {
  const sentences: string[] = [];
  const output = { write: async () => undefined, say: (sentence: string) => void sentences.push(sentence) };
  await verify(file, { keys, at: now, ...options }, output, now);
  return sentences.join('\n');
}

/** The list of keys with the key of receipts in another state. */
const keysWith = (name: string, change: object): string => {
  const rows: object[] = Object(keysDocument.keys);
  const changed = rows.map((row) =>
    'purpose' in row && row.purpose === 'receipts' ? { ...row, ...change } : row,
  );
  return save(name, JSON.stringify({ ...keysDocument, keys: changed }));
};

describe('verify says what to do', () => {
  test.each([
    ['a receipt', receipt, 'it is a receipt'],
    ['a signed status', join(directory, 'status.json'), 'it is a receipt status'],
    ['an object', save('object.json', '{}'), 'so it is no list of keys'],
  ])('about --keys with %s', async (_name, file, message) => {
    await expect(said(receipt, { keys: file })).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(`^${file}: it has no member keys, .*${message}$`)),
      hint: expect.stringContaining('GET /api/v1/transparency/keys'),
    });
  });

  test.each([
    ['proof', receipt, 'so it is neither a public manifest nor a bundle: save the response of'],
    ['proof', save('empty', ''), 'proof: it is empty: save the response of GET /api/v1/receipts/<id>/proof'],
    ['status', receipt, 'status: it is not a signed receipt status: save the response of GET'],
  ] as const)('about --%s with another file', async (option, file, message) => {
    expect(await said(receipt, { [option]: file })).toContain(message);
  });

  test('about a public manifest, which is a proof', async () => {
    const manifest = save('manifest.json', '{"receipt_id":"rcpt_","inclusion_path":null}');
    expect(await said(manifest)).toMatch(/^malformed: [\s\S]*with this file as --proof/);
  });

  test('about a response that was not requested as a signed one', async () => {
    const decision = save('decision.json', '{"allow_invocation":true,"signed":false}');
    expect(await said(decision)).toMatch(/^malformed: [\s\S]*\?signed=1/);
    expect(await said(save('other.json', '{"signed":true}'))).not.toContain('?signed=1');
  });

  test('about keys that are unknown or have ended, unless there is a proof', async () => {
    const unknown = await said(receipt, {
      keys: save('none.json', JSON.stringify({ ...keysDocument, keys: [] })),
    });
    expect(unknown).toMatch(/It names the key \S{43}\. The list of keys may be older/);
    const stolen = keysWith('stolen.json', {
      status: 'compromised',
      valid_until: '2026-01-01T00:00:00.000Z',
    });
    expect(await said(receipt, { keys: stolen })).toMatch(
      /^key_compromised: [\s\S]*With --proof, its position/,
    );
    const proof = join(directory, 'receipt.tlog-proof');
    expect(await said(receipt, { keys: stolen, proof })).not.toContain('With --proof');
    expect(await said(receipt)).toMatch(/^valid: [^\n]*\n {2}signer: [^\n]*$/);
  });
});
