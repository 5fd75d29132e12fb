import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { isJsonObject, type JsonObject } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys } from '../../../../src/proof/keys/trusted-keys.ts';
import { entryIn } from '../../../../src/proof/log/cose-verdict.ts';
import { readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { contentHash, type Receipt } from '../../../../src/proof/receipt/receipt.ts';
import { isAsAsked, judgeBytes } from '../../../../src/proof/receipt/verdict.ts';
import { signedReceipt } from '../../../support/small-log.ts';
import { example, KEYS, payload } from '../../../support/worked-example.ts';

const { cose, index, log, receipt } = example;
const entry = Buffer.from(log.entries[index] ?? '');
const policy = { policy: { logs: [], witnesses: [], quorum: null }, logKeys: [] };

interface Given {
  document?: Receipt;
  cose?: Uint8Array;
  entry?: Uint8Array;
  keys?: JsonObject;
}

/** Judges a receipt with a COSE receipt as proof; both implementations must agree. */
function judged(given: Given = {}, more: object = {}) {
  const { document = receipt, keys = example.keys } = given;
  const [one, other] = [nativePrimitives, noblePrimitives].map((primitives) =>
    judgeBytes(primitives, Buffer.from(JSON.stringify(document)), {
      keys: readTrustedKeys(primitives, keys),
      now: Date.parse(example.at),
      proof: {
        proof: { cose: given.cose ?? cose.receipt, entry: given.entry ?? entry },
        keys: readLogKeys(primitives, keys).trusted,
      },
      ...more,
    }),
  );
  expect(one).toEqual(other);
  if (one === undefined) throw new Error('there are two implementations');
  return { ...one, isAsAsked: isAsAsked(one) };
}

/** Returns the keys of the example with one changed. */
function keysWith(purpose: string, change: JsonObject): JsonObject {
  const rows = Array.isArray(example.keys.keys) ? example.keys.keys.filter(isJsonObject) : [];
  const changed = rows.map((row) => (row.purpose === purpose ? { ...row, ...change } : row));
  return { ...example.keys, keys: changed };
}

describe('a COSE receipt as the proof of a receipt', () => {
  test('shows that the log has the receipt, and no position', () => {
    expect(judged()).toMatchObject({
      verdict: 'valid',
      checks: { proof: 'ok' },
      position: null,
      isAsAsked: true,
    });
  });

  test('of another receipt is a mismatch', () => {
    const other = signedReceipt(KEYS.receipts, payload(2));
    expect(judged({ document: other })).toMatchObject({
      checks: { proof: 'mismatch' },
      problems: ['proof: it is a proof for another receipt'],
      isAsAsked: false,
    });
  });

  test('of the version before its revocation is ok', () => {
    const revoked = signedReceipt(KEYS.receipts, { ...payload(index), revocation_status: 'revoked' });
    expect(contentHash(nativePrimitives, revoked)).not.toBe(receipt.content_hash);
    expect(judged({ document: revoked })).toMatchObject({ verdict: 'revoked', checks: { proof: 'ok' } });
  });

  test('with another entry, cut, or by an unknown key is bad', () => {
    const other = Buffer.from(log.entries[0] ?? '');
    for (const [given, problem] of [
      [{ entry: other }, 'proof: the signature is not over the root that follows from the entry'],
      [{ cose: cose.receipt.subarray(0, -1) }, 'proof: the bytes end within an item'],
      [{ keys: keysWith('receipts-log', { purpose: 'keys-log' }) }, 'proof: no trusted key of'],
      [{ keys: keysWith('receipts-log', { status: 'compromised' }) }, 'proof: no trusted key of'],
    ] as const) {
      const { checks, problems, isAsAsked } = judged(given);
      expect([problem, checks.proof, problems[0]?.startsWith(problem), isAsAsked]).toEqual([
        problem,
        'bad',
        true,
        false,
      ]);
    }
  });

  test('makes no signature of a compromised key count, as it shows no position that is signed', () => {
    const keys = keysWith('receipts', {
      status: 'compromised',
      valid_until: '2026-07-01T00:00:00.000Z',
      receipts_logs: [log.origin],
      receipts_tree_size: 3,
    });
    expect(judged({ keys })).toMatchObject({ verdict: 'key_compromised', checks: { proof: 'ok' } });
  });

  test('has no cosignatures, so that a policy is not met', () => {
    expect(judged({}, { policy })).toMatchObject({ checks: { proof: 'ok', quorum: 'unchecked' } });
  });
});

describe('the entry in a file', () => {
  const text = entry.toString();
  test.each([
    ['an entry', text],
    ['an entry with a line end', `${text}\n`],
    ['a public manifest', JSON.stringify(log.manifest(index))],
  ])('is found in %s', (_, file) => {
    expect(Buffer.from(entryIn(Buffer.from(file))).toString()).toBe(text);
  });

  test.each(['no JSON', '{"inclusion_path":null}', '{"inclusion_path":{"leaf_entry":7}}', '7'])(
    'is the whole file for anything else: %s',
    (file) => {
      expect(Buffer.from(entryIn(Buffer.from(`${file}\n`))).toString()).toBe(file);
    },
  );
});
