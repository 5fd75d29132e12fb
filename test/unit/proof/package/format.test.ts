import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { type PackageControl, packageDigest, summaryOf } from '../../../../src/proof/package/format.ts';

describe('a compliance package', () => {
  test('has a digest that covers every member but content_hash, signature, kid and sampled_receipts', () => {
    const signed = { type: 'compliance-package', v: 1, limits: ['a'] };
    const expected = new Bun.CryptoHasher('sha256')
      .update('{"limits":["a"],"type":"compliance-package","v":1}')
      .digest('hex');
    expect(packageDigest(nativePrimitives, signed)).toBe(expected);
    const outside = { content_hash: 'x', signature: 'y', kid: 'z', sampled_receipts: [] };
    expect(packageDigest(nativePrimitives, { ...outside, ...signed })).toBe(expected);
    expect(packageDigest(nativePrimitives, { ...signed, other: 1 })).not.toBe(expected);
  });

  test('counts its controls by status', () => {
    const control = (status: PackageControl['status']): PackageControl => ({
      id: 'CC7.2',
      title: '',
      status,
      statement: '',
      counts: {},
      references: null,
    });
    expect(summaryOf([])).toEqual({ satisfied: 0, partial: 0, not_assessed: 0 });
    expect(summaryOf([control('partial'), control('satisfied'), control('partial')])).toEqual({
      satisfied: 1,
      partial: 2,
      not_assessed: 0,
    });
  });
});
