import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonValue } from '../../../../src/proof/encoding/json.ts';
import { readTrustedKeys, type TrustedKey } from '../../../../src/proof/keys/trusted-keys.ts';
import { type LogKey, readLogKeys } from '../../../../src/proof/log/log-keys.ts';
import { readLogProof } from '../../../../src/proof/log/log-proof.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import {
  isAsAsked,
  judge,
  judgeBytes,
  type RevocationVerdict,
  type Verdict,
  type VerdictOptions,
} from '../../../../src/proof/receipt/verdict.ts';
import {
  keyRow,
  leafOf,
  signedObject,
  signedReceipt,
  smallLog,
  testKey,
} from '../../../support/small-log.ts';
import { example, KEYS, payload } from '../../../support/worked-example.ts';
import { asDocument, without } from './signed-receipts.ts';

const NOW = Date.parse(example.at);
const document = asDocument(example.receipt);
const keys = readTrustedKeys(nativePrimitives, example.keys);
const logKeys = readLogKeys(nativePrimitives, example.keys).trusted;
const read = (text: string) => readLogProof(nativePrimitives, Buffer.from(text));
const proofOf = (text: string, trusted: readonly LogKey[] = logKeys) => ({
  proof: read(text),
  keys: trusted,
});
const proof = proofOf(example.proof);
const fresh = { revoked: new Set<string>(), time: NOW };
const all: VerdictOptions = {
  keys,
  now: NOW,
  domain: 'CODE_GENERATION',
  proof,
  status: example.status,
  revocations: fresh,
};
const verdictOn = (value: JsonValue, options: Partial<VerdictOptions> = {}) =>
  judge(nativePrimitives, value, { ...all, ...options });
const { signature: _, kid: __, ...said } = example.status;
const revokedStatus = signedObject(KEYS.credentials, {
  ...said,
  revocation_status: 'revoked',
  content_hash: 'ab'.repeat(32),
});

describe('a receipt with all that can speak for it', () => {
  test.each([
    ['native', nativePrimitives],
    ['noble', noblePrimitives],
  ])('is valid, and every check is told (%s)', (_name, primitives) => {
    const result = judge(primitives, document, all);
    expect(result).toEqual({
      verdict: 'valid',
      authentic: true,
      revocation: 'ok',
      checks: {
        hash: 'ok',
        signature: 'ok',
        key: 'trusted',
        domain: 'ok',
        proof: 'ok',
        status: 'ok',
        revocation: 'ok',
      },
      problems: [],
      kid: KEYS.receipts.kid,
      position: { log: example.log.origin, index: example.index },
      trees: [{ log: example.log.origin, tree_size: 3, signed_at: null }],
    });
    expect(isAsAsked(result)).toBe(true);
  });

  test('is checked for nothing that was not asked', () => {
    const result = judge(nativePrimitives, document, { keys, now: NOW });
    expect([Object.keys(result.checks), 'position' in result, isAsAsked(result)]).toEqual([
      ['hash', 'signature', 'key'],
      false,
      true,
    ]);
  });

  test('is checked for none of it when it is malformed', () => {
    const result = verdictOn([]);
    expect(result.checks).toEqual({
      hash: 'unchecked',
      signature: 'unchecked',
      key: 'unchecked',
      domain: 'unchecked',
      proof: 'unchecked',
      status: 'unchecked',
      revocation: 'unchecked',
    });
    expect(isAsAsked(result)).toBe(false);
  });
});

describe('what does not speak for a receipt:', () => {
  test.each<[string, Partial<VerdictOptions>, string]>([
    [
      'a proof of another receipt',
      { proof: proofOf(example.log.proof(0)) },
      'proof: it is a proof for another',
    ],
    ['a proof without a trusted key', { proof: proofOf(example.proof, []) }, 'proof: no trusted key'],
    ['no status', { status: null }, 'status: it is not a signed receipt'],
    ['a status of before', { now: NOW + 3_600_000, revocations: undefined }, 'status: it is no longer valid'],
    [
      'an old copy of the revoked',
      { revocations: { ...fresh, time: 0 } },
      'revocations: the receipt is not in',
    ],
    [
      'a copy of nobody knows when',
      { revocations: { ...fresh, time: null } },
      'revocations: the receipt is not',
    ],
    ['another domain', { domain: 'CUSTOMER_SUPPORT' }, ''],
  ])('%s leaves it valid, but not as it was asked', (_name, options, problem) => {
    const result = verdictOn(document, options);
    expect([result.verdict, result.authentic, isAsAsked(result)]).toEqual(['valid', true, false]);
    expect(result.problems.join()).toStartWith(problem);
  });

  test('a status or a log that says revoked is believed', () => {
    expect(verdictOn(document, { status: revokedStatus })).toMatchObject({
      verdict: 'revoked',
      authentic: true,
      checks: { status: 'revoked' },
      problems: ['status: the receipt has been revoked'],
    });
    const revocations = { revoked: new Set([example.receipt.receipt_id]), time: null };
    expect(verdictOn(document, { revocations })).toMatchObject({
      verdict: 'revoked',
      authentic: true,
      checks: { revocation: 'revoked' },
      problems: ['revocations: the log records the revocation of the receipt'],
    });
  });

  test.each<[string, Partial<VerdictOptions>, RevocationVerdict]>([
    ['nobody', { status: undefined, revocations: undefined }, 'not_checked'],
    [
      'a proof alone',
      { status: undefined, revocations: undefined, proof: proofOf(example.proof) },
      'not_checked',
    ],
    ['a status', { revocations: undefined }, 'ok'],
    ['a log of revocations', { status: undefined }, 'ok'],
    ['a status of before', { now: NOW + 3_600_000, revocations: undefined }, 'not_checked'],
    ['a status of nobody', { status: null, revocations: undefined }, 'not_checked'],
    ['an old log of revocations', { status: undefined, revocations: { ...fresh, time: 0 } }, 'not_checked'],
    ['a status that says so', { status: revokedStatus, revocations: undefined }, 'revoked'],
    [
      'an old log that says so',
      { revocations: { revoked: new Set([example.receipt.receipt_id]), time: 0 } },
      'revoked',
    ],
  ])('revocation, asked of %s', (_name, options, revocation) => {
    expect(verdictOn(document, options).revocation).toBe(revocation);
  });

  test('a status that says revoked and is not authentic is not believed', () => {
    const forged = signedObject(testKey(9), { ...said, revocation_status: 'revoked' });
    expect(verdictOn(document, { status: forged }).verdict).toBe('valid');
  });

  test('a revoked receipt is proven as it was finalized', () => {
    const revoked = signedReceipt(KEYS.receipts, { ...payload(1), revocation_status: 'revoked' });
    expect(verdictOn(asDocument(revoked), { status: undefined, revocations: undefined })).toMatchObject({
      verdict: 'revoked',
      authentic: true,
      checks: { proof: 'ok' },
      position: null,
    });
  });
});

describe('a receipt whose key is', () => {
  const { origin } = example.log;
  const ended = (status: 'retired' | 'compromised', size: number | null, log: string | null = origin) => ({
    keys: keys.map(
      (key): TrustedKey =>
        key.purpose === 'receipts'
          ? {
              ...key,
              status,
              valid_until: '2026-01-01T00:00:00Z',
              receipts_logs: log === null ? [] : [`${log}-0`, log],
              receipts_tree_size: size,
            }
          : key,
    ),
  });
  const without_ = { proof: undefined };

  test.each<[string, Partial<VerdictOptions>, Verdict]>([
    ['retired with the leaf below', ended('retired', 2), 'valid'],
    ['retired with the leaf at its size', ended('retired', 1), 'key_retired'],
    ['retired, another log, dated after', ended('retired', 2, 'b'), 'key_retired'],
    ['retired, no log, dated after', ended('retired', null, null), 'key_retired'],
    ['retired, no proof', { ...ended('retired', 2), ...without_ }, 'key_retired'],
    ['retired, a bad proof', { ...ended('retired', 2), proof: proofOf(example.proof, []) }, 'key_retired'],
    [
      'retired, the proof of another',
      { ...ended('retired', 2), proof: proofOf(example.log.proof(0)) },
      'key_retired',
    ],
    ['compromised with the leaf below', ended('compromised', 2), 'valid'],
    ['compromised with the leaf at its size', ended('compromised', 1), 'key_compromised'],
    ['compromised, another log', ended('compromised', 2, 'b'), 'key_compromised'],
    ['compromised, no log', ended('compromised', null, null), 'key_compromised'],
    ['compromised, no proof', { ...ended('compromised', 2), ...without_ }, 'key_compromised'],
    [
      'compromised, a bad proof',
      { ...ended('compromised', 2), proof: proofOf(example.proof, []) },
      'key_compromised',
    ],
    [
      'compromised, the proof of another',
      { ...ended('compromised', 2), proof: proofOf(example.log.proof(0)) },
      'key_compromised',
    ],
  ])('%s', (_name, options, verdict) => {
    expect(verdictOn(document, options).verdict).toBe(verdict);
  });

  test('ended at an unknown time is trusted only by its position in the log', () => {
    const undated = (size: number) => ({
      keys: ended('retired', size).keys.map(
        (key): TrustedKey =>
          key.purpose === 'receipts' ? { ...key, status: 'active', valid_until: null } : key,
      ),
    });
    const verdictWith = (options: Partial<VerdictOptions>) => verdictOn(document, options).verdict;
    expect([
      verdictWith(undated(2)),
      verdictWith(undated(1)),
      verdictWith({ ...undated(2), ...without_ }),
    ]).toEqual(['valid', 'key_retired', 'key_retired']);
  });

  test('is later than a date that lies, where the log says so', () => {
    const late = {
      keys: ended('retired', 1).keys.map((key) => ({ ...key, valid_until: '2030-01-01T00:00:00Z' })),
    };
    expect(verdictOn(document, { ...late, proof: undefined, status: undefined }).verdict).toBe('valid');
    expect(verdictOn(document, { ...late, status: undefined }).verdict).toBe('key_retired');
  });

  test('whoever holds the log needs no proof of a place', () => {
    const place = { log: origin, index: 1 };
    expect(verdictOn(document, { ...ended('compromised', 2), ...without_, position: place }).verdict).toBe(
      'valid',
    );
    expect(verdictOn(document, { ...ended('compromised', 1), ...without_, position: place }).verdict).toBe(
      'key_compromised',
    );
  });

  test('a receipt that was forged afterwards cannot borrow the place of another', () => {
    const forged = signedReceipt(KEYS.receipts, { ...payload(1), agent_id: 'thief' });
    expect(verdictOn(asDocument(forged), ended('compromised', 2)).verdict).toBe('key_compromised');
    expect(verdictOn(without(asDocument(forged), 'kid'), ended('compromised', 2)).verdict).toBe(
      'key_compromised',
    );
  });
});

test('a log is of whom the reader trusts: one that a thief made up with the key of receipts is not', () => {
  const thief = testKey(9);
  const forged = signedReceipt(KEYS.receipts, { ...payload(1), agent_id: 'thief' });
  const own = smallLog(
    example.log.origin,
    [leafOf(forged, '2026-05-01T12:00:00.000Z')],
    [thief, KEYS.receipts],
  );
  const result = verdictOn(asDocument(forged), { proof: proofOf(own.proof(0)) });
  expect([result.checks.proof, isAsAsked(result)]).toEqual(['bad', false]);
});

describe('two implementations', () => {
  const postQuantum = testKey(4, 'ML-DSA-44');
  const log = smallLog(example.log.origin, example.log.entries, [KEYS.log, postQuantum]);
  const trusted = readLogKeys(nativePrimitives, {
    keys: [keyRow(KEYS.log, 'receipts-log'), keyRow(postQuantum, 'receipts-log')],
    log: { origin: 'receipts.example/keys' },
  }).trusted;
  const { mlDsa44Verify } = nativePrimitives;
  const second = mlDsa44Verify === undefined ? noblePrimitives : { ...noblePrimitives, mlDsa44Verify };

  /** A character of the first `length` of the proof is changed; null where that makes it no proof. */
  const altered = (length: number) =>
    fc.tuple(fc.nat(length - 1), fc.constantFrom('A', 'B', '0', '1', ' ', '\n', '/')).map(([at, is]) => {
      try {
        return proofOf(log.proof(1).slice(0, at) + is + log.proof(1).slice(at + 1), trusted);
      } catch {
        return null;
      }
    });

  test('agree about every proof, where they share what only one of them has', () => {
    fc.assert(
      fc.property(altered(log.proof(1).length), (changed) => {
        fc.pre(changed !== null);
        const options = { ...all, proof: changed };
        expect(judge(second, document, options)).toEqual(judge(nativePrimitives, document, options));
      }),
      { numRuns: 400 },
    );
  });

  test('agree without that as long as the signatures by Ed25519 are as they were', () => {
    // Only one of them has ML-DSA-44, which signs the time.
    const said = (primitives: typeof noblePrimitives, options: VerdictOptions) => {
      const { trees, ...result } = judge(primitives, document, options);
      return { ...result, trees: trees.map((tree) => ({ ...tree, signed_at: null })) };
    };
    const options = { ...all, proof: proofOf(log.proof(1), trusted) };
    expect(said(noblePrimitives, options)).toEqual(said(nativePrimitives, options));
    fc.assert(
      fc.property(altered(log.proof(1).indexOf('\n\n—')), (changed) => {
        fc.pre(changed !== null);
        const beside = { ...all, proof: changed };
        expect(said(noblePrimitives, beside)).toEqual(said(nativePrimitives, beside));
      }),
      { numRuns: 200 },
    );
  });
});

test('no change of any byte of the receipt is valid, whatever speaks for it', () => {
  const bytes = Buffer.from(JSON.stringify(document));
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
      fc.pre(bytes[at] !== value);
      const changed = Uint8Array.from(bytes);
      changed[at] = value;
      expect(judgeBytes(nativePrimitives, changed, all).verdict).not.toBe('valid');
    }),
    { numRuns: 1000 },
  );
});
