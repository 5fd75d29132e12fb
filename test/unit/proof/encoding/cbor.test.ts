import { describe, expect, test } from 'bun:test';
import { Decoder } from 'cbor-x';
import fc from 'fast-check';
import {
  CBOR_NULL,
  type CborItem,
  cborArray,
  cborBytes,
  cborInteger,
  cborMap,
  cborTagged,
  cborText,
} from '../../../../src/proof/encoding/cbor.ts';
import { bytesToHex, hexToBytes } from '../../../../src/proof/encoding/hex.ts';

const int = cborInteger;
const text = cborText;
const bytes = (hex: string): CborItem => cborBytes(hexToBytes(hex) ?? new Uint8Array());
const hexOf = ({ encoded }: CborItem): string => bytesToHex(encoded);

describe('the examples of RFC 8949 appendix A', () => {
  const numbers = Array.from({ length: 25 }, (_, index) => int(index + 1));
  test.each<[CborItem, string]>([
    [int(0), '00'],
    [int(1), '01'],
    [int(10), '0a'],
    [int(23), '17'],
    [int(24), '1818'],
    [int(25), '1819'],
    [int(100), '1864'],
    [int(1000), '1903e8'],
    [int(1000000), '1a000f4240'],
    [int(1000000000000), '1b000000e8d4a51000'],
    [int(-1), '20'],
    [int(-10), '29'],
    [int(-100), '3863'],
    [int(-1000), '3903e7'],
    [CBOR_NULL, 'f6'],
    [cborTagged(1, int(1363896240)), 'c11a514b67b0'],
    [cborTagged(23, bytes('01020304')), 'd74401020304'],
    [cborTagged(24, bytes('6449455446')), 'd818456449455446'],
    [cborTagged(32, text('http://www.example.com')), 'd82076687474703a2f2f7777772e6578616d706c652e636f6d'],
    [bytes(''), '40'],
    [bytes('01020304'), '4401020304'],
    [text(''), '60'],
    [text('a'), '6161'],
    [text('IETF'), '6449455446'],
    [text('"\\'), '62225c'],
    [text('\u00fc'), '62c3bc'],
    [text('\u6c34'), '63e6b0b4'],
    [text('\ud800\udd51'), '64f0908591'],
    [cborArray([]), '80'],
    [cborArray([int(1), int(2), int(3)]), '83010203'],
    [cborArray([int(1), cborArray([int(2), int(3)]), cborArray([int(4), int(5)])]), '8301820203820405'],
    [cborArray(numbers), '98190102030405060708090a0b0c0d0e0f101112131415161718181819'],
    [cborMap([]), 'a0'],
    [
      cborMap([
        [int(1), int(2)],
        [int(3), int(4)],
      ]),
      'a201020304',
    ],
    [
      cborMap([
        [text('a'), int(1)],
        [text('b'), cborArray([int(2), int(3)])],
      ]),
      'a26161016162820203',
    ],
    [cborArray([text('a'), cborMap([[text('b'), text('c')]])]), '826161a161626163'],
    [
      cborMap(['a', 'b', 'c', 'd', 'e'].map((letter) => [text(letter), text(letter.toUpperCase())])),
      'a56161614161626142616361436164614461656145',
    ],
  ])('%#', (item, hex) => {
    expect(hexOf(item)).toBe(hex);
  });
});

test('the members of a map are in the order of RFC 8949 section 4.2.1, whichever order they are given in', () => {
  const keys = [
    int(10),
    int(100),
    int(-1),
    text('z'),
    text('aa'),
    cborArray([int(100)]),
    cborArray([int(-1)]),
  ];
  const sorted = `a7${['0a', '1864', '20', '617a', '626161', '811864', '8120'].map((key) => `${key}f6`).join('')}`;
  fc.assert(
    fc.property(fc.shuffledSubarray(keys, { minLength: keys.length }), (given) => {
      expect(hexOf(cborMap(given.map((key) => [key, CBOR_NULL])))).toBe(sorted);
    }),
  );
});

test.each<[string, () => CborItem]>([
  ['two equal keys', () => cborMap([int(1), int(2), int(1)].map((key) => [key, CBOR_NULL]))],
  ['a fraction', () => int(0.5)],
  ['2^53', () => int(2 ** 53)],
  ['no number', () => int(Number.NaN)],
  ['a lone surrogate', () => text('\ud800')],
])('%s is refused', (_, encode) => {
  expect(encode).toThrow(RangeError);
});

test('another decoder reads what was encoded', () => {
  const decoder = new Decoder({ mapsAsObjects: false });
  const size = fc.integer({ min: 0, max: 70_000 });
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.string({ unit: 'binary' }), size, (number, string, length) => {
      const zeros = new Uint8Array(length);
      const item = cborArray([
        int(number),
        text(string),
        cborBytes(zeros),
        cborMap([[int(number), text(string)]]),
      ]);
      const [readNumber, readText, readBytes, readMap] = decoder.decode(item.encoded);
      expect([Number(readNumber), readText, readMap.size]).toEqual([number, string, 1]);
      expect(Buffer.from(readBytes).equals(zeros)).toBe(true);
    }),
  );
});
