import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { bytesToHex, hexToBytes, isHex } from '../../../../src/proof/encoding/hex.ts';

describe('hexadecimal', () => {
  test('every byte string reads back as it was written', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = bytesToHex(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('hex'));
        expect(isHex(text, bytes.length)).toBe(true);
        expect(hexToBytes(text)).toEqual(bytes);
      }),
    );
  });

  test.each(['A0', 'a', '0x', 'g0', ' 00', '00\n', 'é0'])('%j is refused', (text) => {
    expect(() => hexToBytes(text)).toThrow(RangeError);
    expect(isHex(text, Math.ceil(text.length / 2))).toBe(false);
  });

  test('another length than the one asked for is refused', () => {
    expect(isHex('00ff', 2)).toBe(true);
    expect(isHex('00ff', 1)).toBe(false);
    expect(isHex('00ff', 3)).toBe(false);
  });
});
