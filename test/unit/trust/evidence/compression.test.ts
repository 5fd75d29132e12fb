import { expect, test } from 'bun:test';
import {
  compress,
  compressAsync,
  decompress,
  decompressedLength,
} from '../../../../src/trust/evidence/compression.ts';

test.each([0, 1, 255, 256, 257, 65_535, 65_791, 65_792, 1_000_000])(
  'the length of a text of %d bytes is known without decompressing it',
  async (length) => {
    const text = 'x'.repeat(length);
    for (const bytes of [compress(text), await compressAsync(text)]) {
      expect(decompressedLength(bytes)).toBe(length);
      expect(decompress(bytes)).toBe(text);
    }
  },
);

test('a frame without its length is decompressed to know it', () => {
  // A frame with a window descriptor, no content size, and one raw block that is the last, with three bytes.
  const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0x19, 0x00, 0x00, 0x61, 0x62, 0x63);
  expect([decompress(frame), decompressedLength(frame)]).toEqual(['abc', 3]);
});
