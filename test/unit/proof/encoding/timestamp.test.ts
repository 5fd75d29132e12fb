import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseTimestamp } from '../../../../src/proof/encoding/timestamp.ts';

describe('RFC 3339 timestamps', () => {
  test('every instant of the years 0 to 9999 reads back', () => {
    const date = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (instant) => {
        expect(parseTimestamp(instant.toISOString())).toBe(instant.getTime());
      }),
      { numRuns: 1000 },
    );
  });

  test('every day of four centuries is read, and the day after its month is not', () => {
    for (let year = 1900; year < 2300; year++) {
      for (let month = 1; month <= 12; month++) {
        const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
        const prefix = `${year}-${String(month).padStart(2, '0')}-`;
        expect(parseTimestamp(`${prefix}${last}T00:00:00Z`)).toBe(Date.UTC(year, month - 1, last));
        expect(parseTimestamp(`${prefix}${last + 1}T00:00:00Z`)).toBeNull();
      }
    }
  });

  test.each([
    ['1985-04-12T23:20:50.52Z', Date.UTC(1985, 3, 12, 23, 20, 50, 520)],
    ['1996-12-19T16:39:57-08:00', Date.UTC(1996, 11, 20, 0, 39, 57)],
    ['1937-01-01T12:00:27.87+00:20', Date.UTC(1937, 0, 1, 11, 40, 27, 870)],
    ['2026-01-01T00:00:00.1Z', Date.UTC(2026, 0, 1, 0, 0, 0, 100)],
    ['2026-01-01T00:00:00.123999999+23:59', Date.UTC(2026, 0, 1, 0, 0, 0, 123) - 1439 * 60_000],
    ['2026-01-01T00:00:00-00:00', Date.UTC(2026, 0, 1)],
    ['0000-02-29T00:00:00Z', -62162121600000],
    ['1970-01-01T00:00:00Z', 0],
  ])('%s', (text, milliseconds) => {
    expect(parseTimestamp(text)).toBe(milliseconds);
  });

  test.each([
    '',
    '2026-01-01',
    '2026-01-01T00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01t00:00:00Z',
    '2026-01-01T00:00:00z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00,5Z',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00:00+01',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00-00:60',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2024-02-30T00:00:00Z',
    '1/2/2027',
    '+002026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    ' 2026-01-01T00:00:00Z',
    '２026-01-01T00:00:00Z',
  ])('%j is refused', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });
});
