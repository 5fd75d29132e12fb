import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  cborArray,
  cborBytes,
  cborInteger,
  cborMap,
  cborTagged,
  cborText,
} from '../../../../src/proof/encoding/cbor.ts';
import { CborError, CborReader } from '../../../../src/proof/encoding/cbor-reader.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';

const reader = (hex: string): CborReader => new CborReader(hexToBytes(hex));

test('what the encoder writes is read as it was', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 100 }),
      (number, bytes, text) => {
        const items = [cborInteger(number), cborInteger(-number), cborBytes(bytes), cborText(text)];
        const map = cborMap([[cborInteger(1), cborArray(items)]]);
        const read = new CborReader(cborTagged(number, map).encoded);
        read.tag(number);
        read.mapOf(1);
        read.only(1);
        read.arrayOf(4);
        expect(read.count()).toBe(number);
        read.only(-number);
        expect(read.bytes()).toEqual(bytes);
        expect(read.text()).toBe(text);
        read.end();
      },
    ),
  );
});

describe('what is not deterministic, or not what is expected', () => {
  test.each<[string, (read: CborReader) => unknown, string]>([
    ['1817', (read) => read.count(), 'a number could be shorter'],
    ['1900ff', (read) => read.count(), 'a number could be shorter'],
    ['1a0000ffff', (read) => read.count(), 'a number could be shorter'],
    ['1b00000000ffffffff', (read) => read.count(), 'a number could be shorter'],
    ['1b0020000000000000', (read) => read.count(), 'a number is above 2^53 − 1'],
    ['1bffffffffffffffff', (read) => read.count(), 'a number is above 2^53 − 1'],
    ['1c', (read) => read.count(), 'a length is indefinite or reserved'],
    ['5f', (read) => read.bytes(), 'a length is indefinite or reserved'],
    ['19ff', (read) => read.count(), 'the bytes end within an item'],
    ['', (read) => read.count(), 'the bytes end within an item'],
    ['4201', (read) => read.bytes(), 'the bytes end within an item'],
    ['5bffffffffffffffff', (read) => read.bytes(), 'a number is above'],
    ['20', (read) => read.count(), 'an item has the major type 1 and not 0'],
    ['61ff', (read) => read.text(), 'a text is not UTF-8'],
    ['f7', (read) => read.null(), 'something is not null'],
    ['d2', (read) => read.tag(17), 'the tag is not 17'],
    ['82', (read) => read.arrayOf(3), 'an array has not 3 items'],
    ['a2', (read) => read.mapOf(1), 'a map has not 1 members'],
    ['27', (read) => read.only(-9), 'a number is -8 and not -9'],
    ['07', (read) => read.only(8), 'a number is 7 and not 8'],
    ['00', (read) => read.end(), 'there are bytes after the end'],
  ])('%s', (hex, act, problem) => {
    expect(() => act(reader(hex))).toThrow(CborError);
    expect(() => act(reader(hex))).toThrow(problem);
  });
});
