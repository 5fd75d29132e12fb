import { expect, test } from 'bun:test';
import { centsOf, dollars, plainDollars } from '../../../../src/trust/billing/dollar-text.ts';

test('dollars are exact cents, and text in another form is none', () => {
  const exact: [string, number][] = [
    ['25', 2500],
    ['25.5', 2550],
    ['25.50', 2550],
    [' $25.05 ', 2505],
    ['$ 1', 100],
    ['1,250.50', 125_050],
    ['100,000', 10_000_000],
    ['1,000,000.01', 100_000_001],
    // Its product with 100 is 1998.9999999999998 as a double.
    ['19.99', 1999],
    ['1.1', 110],
    ['0', 0],
    ['999999999.99', 99_999_999_999],
  ];
  for (const [text, cents] of exact) expect([text, centsOf(text)]).toEqual([text, cents]);
  const others = [
    '',
    '.5',
    '5.',
    '1.234,50',
    '1,23',
    '12,34.00',
    '1,2345',
    '25.001',
    '1e3',
    '-5',
    '+5',
    '0x10',
    '٢٥',
    'NaN',
    '25 USD',
    '9'.repeat(400),
  ];
  for (const text of others) expect([text, centsOf(text)]).toEqual([text, null]);
});

test('cents are shown as dollars', () => {
  const shown = [0, 5, 100, 123_456_789, -250].map(dollars);
  expect(shown).toEqual(['$0.00', '$0.05', '$1.00', '$1,234,567.89', '−$2.50']);
});

test('cents are written for a form so that it reads the same cents', () => {
  const cents = [0, 5, 100, 1999, 123_456_789];
  expect(cents.map(plainDollars)).toEqual(['0.00', '0.05', '1.00', '19.99', '1234567.89']);
  expect(cents.map(plainDollars).map(centsOf)).toEqual(cents);
});
