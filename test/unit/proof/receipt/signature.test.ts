import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import type { TrustedKey } from '../../../../src/proof/keys/trusted-keys.ts';
import type { Receipt } from '../../../../src/proof/receipt/receipt.ts';
import { checkKey } from '../../../../src/proof/receipt/signature.ts';
import { newSigner, PENDING, signReceipt } from './signed-receipts.ts';

const signer = newSigner();
const other = newSigner();
const receipt = signReceipt(signer, PENDING);
const { kid: _, ...unnamed } = receipt;
const find = (document: Receipt, ...keys: TrustedKey[]) => checkKey(nativePrimitives, document, keys);
const standing = (changes: Partial<TrustedKey>) => find(receipt, { ...signer.key, ...changes }).key;

describe('the key that signed a receipt is', () => {
  test('the one that the kid names', () => {
    expect(find(receipt, other.key, signer.key)).toMatchObject({
      signature: 'ok',
      key: 'trusted',
      kid: signer.key.kid,
    });
  });

  test('without a kid, whichever fits', () => {
    expect(find(unnamed, other.key, signer.key)).toMatchObject({
      signature: 'ok',
      key: 'trusted',
      kid: signer.key.kid,
    });
  });

  test('with a kid, no other, though it would fit', () => {
    const misnamed = { ...receipt, kid: other.key.kid };
    expect(find(misnamed, other.key, signer.key)).toMatchObject({
      signature: 'bad',
      key: 'trusted',
      kid: other.key.kid,
    });
  });

  test('none that is trusted', () => {
    expect(find(receipt, other.key)).toMatchObject({
      signature: 'unchecked',
      key: 'unknown',
      kid: signer.key.kid,
    });
    expect(find(unnamed)).toMatchObject({ signature: 'unchecked', key: 'unknown', kid: null });
    expect(find(unnamed, other.key)).toMatchObject({ signature: 'bad', key: 'unchecked', kid: null });
  });

  test('none that serves another purpose', () => {
    expect(find(receipt, { ...signer.key, purpose: 'receipts-log' }).key).toBe('unknown');
    expect(find(unnamed, { ...signer.key, purpose: 'credentials' }).key).toBe('unknown');
  });

  test.each(['00'.repeat(32), `01${'00'.repeat(31)}`, `ee${'ff'.repeat(30)}7f`, 'not hex', ''])(
    'none that is %j, which is no strict key',
    (public_key) => {
      const forged = { ...receipt, signature: `01${'00'.repeat(63)}` };
      expect(find(forged, { ...signer.key, public_key }).signature).toBe('bad');
      expect(find(receipt, { ...signer.key, public_key }).signature).toBe('bad');
    },
  );
});

describe('the status of a key:', () => {
  test('next and active keys are trusted, from before their first day on', () => {
    expect(standing({ status: 'next' })).toBe('trusted');
    expect(standing({ status: 'active' })).toBe('trusted');
    expect(standing({ valid_from: '2030-01-01T00:00:00Z' })).toBe('trusted');
  });

  test('a retired key is trusted for receipts dated up to its end', () => {
    expect(standing({ status: 'retired', valid_until: '2026-05-01T12:00:00.000Z' })).toBe('trusted');
    expect(standing({ status: 'retired', valid_until: '2026-05-01T11:59:59.999Z' })).toBe('retired');
    expect(standing({ status: 'active', valid_until: '2026-05-01T11:59:59.999Z' })).toBe('retired');
  });

  test('an end that is not known or not readable is taken for past', () => {
    expect(standing({ status: 'retired', valid_until: null })).toBe('retired');
    expect(standing({ status: 'retired', valid_until: 'soon' })).toBe('retired');
  });

  test('a compromised key is so for every receipt, whatever other list says', () => {
    const compromised: TrustedKey = {
      ...signer.key,
      status: 'compromised',
      valid_until: '2029-01-01T00:00:00Z',
    };
    expect(find(receipt, compromised).key).toBe('compromised');
    expect(find(receipt, signer.key, compromised).key).toBe('compromised');
    expect(find(unnamed, compromised, signer.key).key).toBe('compromised');
  });
});
