import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import fc from 'fast-check';
import { expiryOf } from '../../../../../src/trust/commands/values/expiry.ts';

const NOW = '2026-11-29T12:00:00.500Z';

afterEach(() => void setSystemTime());

describe('when something expires', () => {
  test.each([
    [NOW, '12h', '2026-11-30T00:00:00.500Z'],
    [NOW, '30d', '2026-12-29T12:00:00.500Z'],
    [NOW, '10y', '2036-11-29T12:00:00.500Z'],
    [NOW, '999999d', '4764-10-25T12:00:00.500Z'],
    [NOW, '999999h', '2140-12-28T03:00:00.500Z'],
    ['2028-02-29T12:00:00.000Z', '4y', '2032-02-29T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '1y', '2029-03-01T12:00:00.000Z'],
    ['2027-02-28T12:00:00.000Z', '366d', '2028-02-29T12:00:00.000Z'],
  ])('at %s, %s is %s', (now, text, at) => {
    setSystemTime(new Date(now));
    expect(expiryOf(text)).toBe(at);
  });

  test.each(['2030-01-02T03:04:05Z', '2030-01-02T03:04:05.123456Z'])('%s is taken as it is', (text) => {
    expect(expiryOf(text)).toBe(text);
  });

  test.each([
    '',
    '0d',
    '00d',
    '01d',
    '-1d',
    '+1d',
    '1.5d',
    '1e3d',
    '1000000h',
    '１d',
    ' 1d',
    '1d ',
    '1d\n',
    '1 d',
    '1D',
    '1w',
    '1',
    'd',
    'tomorrow',
    '2030-01-02',
    '2030-01-02T03:04:05',
    '2030-02-30T00:00:00Z',
  ])('%j is refused', (text) => {
    expect(() => expiryOf(text)).toThrow('It must be an RFC 3339 time, or from now: 12h, 30d or 10y.');
  });

  test.each(['999999y', '7974y'])('%s is refused, after the year 9999', (text) => {
    setSystemTime(new Date(NOW));
    expect(() => expiryOf(text)).toThrow('It must be before the year 10000.');
  });

  test('any number of hours and days is that much later', () => {
    setSystemTime(new Date(NOW));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.constantFrom('h', 'd'), (count, unit) => {
        const hours = count * (unit === 'h' ? 1 : 24);
        expect(Date.parse(expiryOf(`${count}${unit}`)) - Date.parse(NOW)).toBe(hours * 3_600_000);
      }),
    );
  });
});
