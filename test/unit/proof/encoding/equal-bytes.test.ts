import { expect, test } from 'bun:test';
import { equalBytes } from '../../../../src/proof/encoding/equal-bytes.ts';

test('bytes are equal when all of them are', () => {
  const bytes = Uint8Array.of(1, 2, 3);
  expect(equalBytes(bytes, Uint8Array.of(1, 2, 3))).toBe(true);
  expect(equalBytes(bytes, Uint8Array.of(1, 2, 4))).toBe(false);
  expect(equalBytes(bytes, bytes.subarray(1))).toBe(false);
  expect(equalBytes(new Uint8Array(), new Uint8Array())).toBe(true);
});
