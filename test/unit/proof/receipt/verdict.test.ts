import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { JsonObject, JsonValue } from '../../../../src/proof/encoding/json.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import {
  describeVerdict,
  judge,
  judgeText,
  VERDICTS,
  type Verdict,
  type VerdictOptions,
} from '../../../../src/proof/receipt/verdict.ts';
import {
  asDocument,
  BLIND_SALT,
  NOW,
  newSigner,
  PAYLOADS,
  PENDING,
  signReceipt,
  without,
} from './signed-receipts.ts';

const signer = newSigner();
const stranger = newSigner();
const trusting: VerdictOptions = { keys: [stranger.key, signer.key], now: NOW };
const verdictOn = (document: JsonValue, options: Partial<VerdictOptions> = {}) =>
  judge(nativePrimitives, document, { ...trusting, ...options });

const revealed = (kind: string): JsonObject => (kind === 'blind' ? { blind_salt: BLIND_SALT } : {});
const DOCUMENTS = Object.entries(PAYLOADS).map(([kind, payload]) => ({
  kind,
  document: asDocument(signReceipt(signer, payload), revealed(kind)),
}));
const pending = asDocument(signReceipt(signer, PENDING));
const revoked = asDocument(signReceipt(signer, { ...PENDING, revocation_status: 'revoked' }));

describe.each(DOCUMENTS)('a $kind receipt as it was signed', ({ document }) => {
  test.each([
    ['native', nativePrimitives],
    ['noble', noblePrimitives],
  ])('is valid (%s)', (_, primitives) => {
    expect(judge(primitives, document, trusting)).toEqual({
      verdict: 'valid',
      authentic: true,
      revocation: 'not_checked',
      checks: { hash: 'ok', signature: 'ok', key: 'trusted' },
      problems: [],
      kid: signer.key.kid,
      trees: [],
    });
  });

  test('is valid without its kid, and in another order of members', () => {
    expect(verdictOn(without(document, 'kid')).verdict).toBe('valid');
    expect(verdictOn(Object.fromEntries(Object.entries(document).reverse())).verdict).toBe('valid');
  });

  test('is not valid with any character of any member changed', () => {
    for (const [member, value] of Object.entries(document)) {
      const characters = [...String(value)];
      for (const [index, was] of characters.entries()) {
        for (const is of ['0', 'a', 'Z', '-', ' ', ''].filter((character) => character !== was)) {
          const changed = characters.with(index, is).join('');
          expect(verdictOn({ ...document, [member]: changed }).verdict).not.toBe('valid');
        }
      }
    }
  });

  test('is not valid with any character of its text changed', () => {
    const text = JSON.stringify(document);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (index, character) => {
        fc.pre(text[index] !== character);
        const changed = text.slice(0, index) + character + text.slice(index + 1);
        expect(judgeText(nativePrimitives, changed, trusting).verdict).not.toBe('valid');
      }),
      { numRuns: 500 },
    );
  });

  test('is malformed with any member that does not belong', () => {
    const members = { ...Object.assign({}, ...DOCUMENTS.map((other) => other.document)), note: 'x' };
    for (const [member, value] of Object.entries(members)) {
      if (Object.hasOwn(document, member)) continue;
      const added = verdictOn({ ...document, [member]: String(value) });
      // Any receipt may have a previous hash: it is signed, so it cannot be added afterwards.
      expect(added.verdict).toBe(member === 'prev_receipt_hash' ? 'hash_mismatch' : 'malformed');
    }
  });

  test('is not valid without any of its members but those that are not signed', () => {
    for (const member of Object.keys(document)) {
      const expected = ['kid', 'blind_salt'].includes(member);
      expect(verdictOn(without(document, member)).verdict === 'valid').toBe(expected);
    }
  });
});

describe('the first verdict that applies is given', () => {
  const expired = { now: Date.UTC(2028, 0) };
  const altered = { ...pending, agent_id: 'agent-8' };
  const forged = asDocument(signReceipt(stranger, PENDING), { kid: signer.key.kid });
  const retired = {
    keys: [{ ...signer.key, status: 'retired' as const, valid_until: '2026-02-01T00:00:00Z' }],
  };
  const compromised = { keys: [{ ...signer.key, status: 'compromised' as const }] };

  test.each<[Verdict, string, JsonValue, Partial<VerdictOptions>]>([
    ['malformed', 'with a member too many', { ...revoked, x: 1 }, expired],
    [
      'revoked',
      'revoked, altered, expired, without keys',
      { ...revoked, agent_id: 'agent-8' },
      { ...expired, keys: [] },
    ],
    ['revoked', 'revoked', revoked, {}],
    ['expired', 'expired, altered, without keys', altered, { ...expired, keys: [] }],
    ['hash_mismatch', 'altered, without keys', altered, { keys: [] }],
    ['key_unknown', 'without keys', pending, { keys: [] }],
    ['key_unknown', 'with the key of another', pending, { keys: [stranger.key] }],
    ['key_unknown', 'without kid and keys', without(pending, 'kid'), { keys: [] }],
    ['bad_signature', 'forged, under a compromised key', forged, compromised],
    [
      'bad_signature',
      'without kid, with the key of another',
      without(pending, 'kid'),
      { keys: [stranger.key] },
    ],
    ['key_retired', 'by a key that retired before', pending, retired],
    ['key_compromised', 'by a compromised key', pending, compromised],
    ['valid', 'as it was signed', pending, {}],
  ])('%s, of a receipt %s', (expected, _what, document, options) => {
    expect(verdictOn(document, options).verdict).toBe(expected);
  });

  test('a receipt expires in the very millisecond of its expiry', () => {
    const expiry = Date.UTC(2027, 4, 1, 12);
    expect(verdictOn(pending, { now: expiry - 1 }).verdict).toBe('valid');
    expect(verdictOn(pending, { now: expiry }).verdict).toBe('expired');
  });

  test('an unreadable clock expires everything', () => {
    expect(verdictOn(pending, { now: Number.NaN }).verdict).toBe('expired');
  });
});

describe('all checks always run', () => {
  test('a revoked or expired receipt can still be authentic', () => {
    expect(verdictOn(revoked)).toMatchObject({ verdict: 'revoked', authentic: true });
    expect(verdictOn(pending, { now: Date.UTC(2028, 0) })).toMatchObject({
      verdict: 'expired',
      authentic: true,
    });
  });

  test('a changed revoked receipt is seen to be changed', () => {
    expect(verdictOn({ ...revoked, agent_id: 'agent-8' })).toMatchObject({
      verdict: 'revoked',
      authentic: false,
      checks: { hash: 'mismatch', signature: 'ok', key: 'trusted' },
    });
  });

  test('a content hash put right without the key is a bad signature', () => {
    const { content_hash } = signReceipt(stranger, { ...PENDING, agent_id: 'agent-8' });
    expect(verdictOn({ ...pending, agent_id: 'agent-8', content_hash })).toMatchObject({
      verdict: 'bad_signature',
      authentic: false,
      checks: { hash: 'ok', signature: 'bad', key: 'trusted' },
    });
  });
});

describe('what is malformed', () => {
  test('is reported, and nothing else is checked', () => {
    expect(verdictOn([], { domain: 'CODE_GENERATION' })).toEqual({
      verdict: 'malformed',
      authentic: false,
      revocation: 'not_checked',
      checks: { hash: 'unchecked', signature: 'unchecked', key: 'unchecked', domain: 'unchecked' },
      problems: ['the receipt is not a JSON object'],
      kid: null,
      trees: [],
    });
  });

  const text = JSON.stringify(pending);
  test.each([
    ['no JSON', text.slice(1), /^not JSON/],
    ['a member named twice', `{"agent_id":"agent-8",${text.slice(1)}`, /twice/],
    ['nesting beyond all measure', '['.repeat(100_000), /nested/],
  ])('text with %s', (_, spoilt, problem) => {
    const result = judgeText(nativePrimitives, spoilt, trusting);
    expect(result.verdict).toBe('malformed');
    expect(result.problems.join()).toMatch(problem);
  });

  test('text that is a receipt is judged as one', () => {
    expect(judgeText(nativePrimitives, JSON.stringify(pending, null, 2), trusting).verdict).toBe('valid');
  });

  test('no document and no text makes the verdict throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        expect(judgeText(nativePrimitives, JSON.stringify(value), trusting).verdict).toBe('malformed');
        expect(judgeText(nativePrimitives, text, trusting).verdict).toBe('malformed');
      }),
    );
  });

  test('a fault of the caller is no verdict', () => {
    const notText: { text: string } = JSON.parse('{"text":null}');
    expect(() => judgeText(nativePrimitives, notText.text, trusting)).toThrow(TypeError);
  });
});

describe('the expected domain, when given', () => {
  const blind = DOCUMENTS.find(({ kind }) => kind === 'blind')?.document ?? {};
  const asked = (document: JsonObject, domain: string) => verdictOn(document, { domain });

  test('is that of an open receipt', () => {
    expect(asked(pending, 'CODE_GENERATION').checks.domain).toBe('ok');
    expect(asked(pending, 'CUSTOMER_SUPPORT').checks.domain).toBe('mismatch');
    expect(verdictOn(pending).checks).not.toHaveProperty('domain');
  });

  test('is that of a blind receipt to whom has the salt', () => {
    expect(asked(blind, 'CODE_GENERATION').checks.domain).toBe('ok');
    expect(asked(blind, 'CUSTOMER_SUPPORT').checks.domain).toBe('mismatch');
    expect(asked(without(blind, 'blind_salt'), 'CODE_GENERATION').checks.domain).toBe('unchecked');
  });

  test('does not sway the verdict', () => {
    expect(asked(pending, 'CUSTOMER_SUPPORT')).toMatchObject({ verdict: 'valid', authentic: true });
  });

  test('a salt that opens no domain is a changed receipt', () => {
    expect(verdictOn({ ...blind, blind_salt: '00'.repeat(32) })).toMatchObject({
      verdict: 'hash_mismatch',
      authentic: false,
    });
  });
});

test('every verdict has a plain sentence, and only one that was asked says "not revoked"', () => {
  for (const name of Object.keys(VERDICTS)) expect(name).toMatch(/^[a-z_]+$/);
  const said = (['ok', 'not_checked'] as const).map((revocation) =>
    describeVerdict({ verdict: 'valid', revocation }),
  );
  expect(said).toEqual([
    'The receipt is authentic, unchanged, not revoked and not expired.',
    'The receipt is authentic, unchanged and not expired. Revocation was not checked.',
  ]);
  expect(describeVerdict(verdictOn(pending), ' (--status)')).toEndWith('was not checked (--status).');
  expect(describeVerdict(verdictOn(revoked))).toBe('The receipt has been revoked.');
  for (const sentence of Object.values(VERDICTS)) expect(sentence).toMatch(/^[A-Z][^.]+\.$/);
});
