import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { VerifyError, type VerifyOptions, verify } from '../../../src/sdk/typescript/verify.ts';
import { casesOf, VECTOR_KINDS, type VectorCase } from '../../support/document-vectors.ts';
import { vectorJson, vectorText } from '../../support/vectors.ts';

/** Kinds that need a copy of a log, which a program does not have. */
const KINDS = VECTOR_KINDS.filter((kind) => !['keys', 'linked-account'].includes(kind));

/** Returns the options of a case; null for one that needs a copy of a log, or accepts any log. */
function optionsOf(kind: string, { keys, beside, now }: VectorCase): VerifyOptions | null {
  const { log, entry, proof, status, policy, predecessor, log_key, any_log, fresh, ...others } = beside;
  expect(others).toEqual({});
  if (log !== undefined || predecessor !== undefined || any_log === true) return null;
  const read = (path: string): Uint8Array => readFileSync(path);
  return {
    now,
    ...(keys !== null && { keys: Object(keys) }),
    ...(entry !== undefined && { entry: read(entry) }),
    ...(proof !== undefined && { [kind === 'linked-receipt' ? 'manifest' : 'proof']: read(proof) }),
    ...(status !== undefined && { status: read(status) }),
    ...(policy !== undefined && { policy: readFileSync(policy, 'utf8') }),
    ...(log_key !== undefined && { logKeys: log_key.join('\n') }),
    ...(fresh === true && { isFresh: true }),
  };
}

test.each(KINDS)(
  'the vectors of %s have their verdicts',
  async (kind) => {
    const wrong: unknown[] = [];
    let count = 0;
    for (const vector of casesOf(kind)) {
      const options = optionsOf(kind, vector);
      if (options === null) continue;
      count++;
      const { verdict, checks, revocation } = await verify(vector.document, options);
      const found = { verdict, revocation: revocation ?? undefined };
      const ours = Object.fromEntries(Object.keys(vector.checks).map((name) => [name, checks[name]]));
      const isSame = verdict === vector.verdict && Bun.deepEquals(ours, vector.checks);
      if (!isSame) wrong.push([vector.name, vector.verdict, vector.checks, found, ours]);
    }
    expect(wrong).toEqual([]);
    expect(count).toBeGreaterThan(0);
  },
  120_000,
);

test('what a test service signed is valid, and said to be of a test service', async () => {
  const receipt = vectorText('receipt/refusal.json');
  const keys = vectorJson<{ log?: object }>('receipt/keys.json');
  expect(await verify(receipt, { keys })).toMatchObject({ isTest: false });
  const log = { ...keys.log, origin: 'test.invalid/3f/keys' };
  const tested = await verify(receipt, { keys: { ...keys, log } });
  expect(tested).toMatchObject({ isTest: true, sentence: expect.stringMatching(/^TEST: /) });
});

describe('nothing is verified', () => {
  const receipt = vectorText('receipt/refusal.json');
  const keys = vectorJson<object>('receipt/keys.json');

  test.each([
    ['without trusted keys', {}, 'There are no trusted keys'],
    ['with keys that are none', { keys: '{"keys": 5}' }, 'no list of trusted keys'],
    ['with keys that are not JSON', { keys: '{' }, 'no list of trusted keys'],
    ['with a policy that is none', { keys, policy: 'witness' }, '`policy`: '],
    ['with a log key that is none', { keys, logKeys: 'key' }, '`logKeys`: '],
    ['with a manifest that proves nothing', { keys, manifest: {} }, 'proves no leaves'],
  ])('%s', async (_, options, message) => {
    await expect(verify(receipt, options)).rejects.toThrow(VerifyError);
    await expect(verify(receipt, options)).rejects.toThrow(message);
  });

  test('of a list of keys, which needs a copy of its log', async () => {
    await expect(verify(keys, { keys })).rejects.toThrow('A list of keys is verified by countersign verify');
  });

  test('of a COSE receipt without the entry of the log', async () => {
    const cose = readFileSync(new URL('../../vectors/cose-receipt/attached.cose', import.meta.url));
    await expect(verify(cose, { keys })).rejects.toThrow('does not have the entry of the log');
  });
});

test('a document can be bytes, text or JSON', async () => {
  const text = vectorText('receipt/pending.json');
  const keys = vectorJson<object>('receipt/keys.json');
  const now = Date.parse('2026-06-01T12:00:00Z');
  const forms = [text, new TextEncoder().encode(text), JSON.parse(text)];
  const results = await Promise.all(forms.map((document) => verify(document, { keys, now })));
  expect(results[0]?.sentence).not.toBe('');
  for (const result of results) expect(result).toEqual(Object(results[0]));
});
