import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from '../../../../src/proof/encoding/base64.ts';

test('bytes are read back from their base64', () => {
  const property = fc.property(fc.uint8Array(), (bytes) => {
    expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
    expect(decodeBase64(encodeBase64(bytes))).toEqual(bytes);
  });
  fc.assert(property);
});

test.each(['A', 'AA', 'AAA', 'AB==', 'AAB=', 'AA==\n', ' AAAA', 'AA AA', 'AAAA====', '-_-_', 'é', 'AA=A'])(
  '%p is no canonical base64',
  (text) => {
    expect(decodeBase64(text)).toBeNull();
  },
);
