import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import {
  bitAt,
  decodeBitstring,
  encodeBitstring,
  LIST_BYTES,
  LIST_ENTRIES,
  setBit,
} from '../../../../src/proof/credential/bitstring.ts';

test('entry 0 is the left-most bit of the first byte', () => {
  const bits = new Uint8Array(LIST_BYTES);
  setBit(bits, 0);
  setBit(bits, 15);
  expect(bits[0]).toBe(0b1000_0000);
  expect(bits[1]).toBe(0b0000_0001);
});

test('a list that was encoded and decoded has the same entries', () => {
  const indexes = [0, 7, 8, 4711, LIST_ENTRIES - 1];
  const bits = new Uint8Array(LIST_BYTES);
  for (const index of indexes) setBit(bits, index);
  const decoded = decodeBitstring(encodeBitstring(bits, gzipSync));
  const found = Array.from({ length: LIST_ENTRIES }, (_, index) => index).filter((index) =>
    bitAt(decoded ?? new Uint8Array(), index),
  );
  expect(found).toEqual(indexes);
});

test('the encoded list begins with the multibase prefix u and has no padding', () => {
  expect(encodeBitstring(new Uint8Array(LIST_BYTES), gzipSync)).toMatch(/^u[A-Za-z0-9_-]+$/);
});

/** The `encodedList` of an empty list in the W3C's specification (Bitstring Status List v1.0, example 2). */
const SPECIFIED = 'uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA';

test('the list of the specification has 131,072 entries, none of them set', () => {
  expect(decodeBitstring(SPECIFIED)).toEqual(new Uint8Array(LIST_BYTES));
});

describe('is refused as encoded list', () => {
  const rows: [what: string, text: string][] = [
    ['an empty text', ''],
    ['a text without its prefix', SPECIFIED.slice(1)],
    ['another base', `z${SPECIFIED.slice(1)}`],
    ['base64 with padding', `${SPECIFIED}=`],
    ['base64 of another alphabet', SPECIFIED.replace('-', '+')],
    ['what is not gzip', 'uAAAA'],
    ['gzip that was cut', SPECIFIED.slice(0, -12)],
    ['fewer than 131,072 entries', encodeBitstring(new Uint8Array(LIST_BYTES - 1), gzipSync)],
    ['more than 1 MiB', encodeBitstring(new Uint8Array(2 ** 20 + 1), gzipSync)],
  ];
  test.each(rows)('%s', (_, text) => {
    expect(decodeBitstring(text)).toBeNull();
  });
});

test.each([-1, 0.5, LIST_ENTRIES, Number.NaN])(
  'an entry %p that the list does not have is an error',
  (index) => {
    const bits = new Uint8Array(LIST_BYTES);
    expect(() => bitAt(bits, index)).toThrow(RangeError);
    expect(() => setBit(bits, index)).toThrow(RangeError);
  },
);
