import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { isNpi, npiCheckDigit } from '../../../../src/staffing/registry/vocabulary/npi.ts';

const nine = fc.integer({ min: 100_000_000, max: 299_999_999 }).map(String);

describe('the NPI', () => {
  test("of CMS's own example has check digit 3", () => {
    expect(npiCheckDigit('123456789')).toBe(3);
    expect(isNpi('1234567893')).toBe(true);
  });

  test.each([
    '',
    '123456789',
    '12345678930',
    ' 1234567893',
    '1234567893\n',
    '123456789x',
    '١٢٣٤٥٦٧٨٩٣',
    '3234567891',
    '0000000000',
    '1.23e9',
  ])('is not %p', (text) => {
    expect(isNpi(text)).toBe(false);
  });

  test('has one valid check digit, and no single digit of it can be mistyped', () => {
    fc.assert(
      fc.property(nine, fc.nat(8), fc.integer({ min: 1, max: 9 }), (digits, place, off) => {
        const valid = `${digits}${npiCheckDigit(digits)}`;
        const wrong = [...valid].map((digit, index) =>
          index === place ? (Number(digit) + off) % 10 : digit,
        );
        expect(isNpi(valid)).toBe(true);
        expect(isNpi(wrong.join(''))).toBe(false);
      }),
    );
  });
});
