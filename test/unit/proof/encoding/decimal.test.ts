import { expect, test } from 'bun:test';
import { parseDecimal } from '../../../../src/proof/encoding/decimal.ts';

test.each([0, 7, 10, 2 ** 32, Number.MAX_SAFE_INTEGER])('%p is read from its decimal text', (number) => {
  expect(parseDecimal(String(number))).toBe(number);
});

test.each([
  '',
  '00',
  '01',
  '-1',
  '+1',
  '1.0',
  '1e3',
  ' 1',
  '1\n',
  '0x1',
  '١',
  '9007199254740992',
  '9'.repeat(40),
])('%p is no whole number in decimal', (text) => {
  expect(parseDecimal(text)).toBeNull();
});
