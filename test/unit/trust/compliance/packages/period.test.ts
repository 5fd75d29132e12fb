import { describe, expect, test } from 'bun:test';
import { requestedPeriod } from '../../../../../src/trust/compliance/packages/period.ts';

const NOON = { now: () => Date.parse('2026-11-21T12:00:00.000Z') };

describe('the period of a package', () => {
  test.each([
    ['the last 90 days by default', {}, '2026-08-23T12:00:00.001Z', '2026-11-21T12:00:00.001Z'],
    [
      '90 days before its end',
      { to: '2026-01-31T00:00:00Z' },
      '2025-11-02T00:00:00.000Z',
      '2026-01-31T00:00:00.000Z',
    ],
    [
      'from a time until now',
      { from: '2026-11-01T00:00:00+01:00' },
      '2026-10-31T23:00:00.000Z',
      '2026-11-21T12:00:00.001Z',
    ],
    [
      'until the end of today',
      { from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z' },
      '2026-11-21T00:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
    ],
    [
      '366 days',
      { from: '2025-11-20T12:00:00.001Z' },
      '2025-11-20T12:00:00.001Z',
      '2026-11-21T12:00:00.001Z',
    ],
  ])('is %s', (_, query, from, to) => {
    expect(requestedPeriod(NOON, query)).toMatchObject({ from, to });
  });

  test('has one key for all default periods of a day, and another one for any other', () => {
    const at = (time: string, query = {}) => requestedPeriod({ now: () => Date.parse(time) }, query).key;
    const today = at('2026-11-21T00:00:00Z');
    expect(at('2026-11-21T23:59:59Z')).toBe(today);
    expect(at('2026-11-22T00:00:00Z')).not.toBe(today);
    expect(at('2026-11-21T00:00:00Z', { from: '2026-11-01T00:00:00Z' })).not.toBe(today);
    const explicit = { from: '2026-08-23T00:00:00Z', to: '2026-11-21T00:00:00Z' };
    expect(at('2026-11-21T00:00:00Z', explicit)).not.toBe(today);
    expect(at('2026-11-21T00:00:00Z', { to: explicit.to })).not.toBe(
      at('2026-11-21T00:00:00Z', { from: explicit.from }),
    );
  });

  test.each([
    ['from', { from: '2026-11-21T12:00:00.001Z' }],
    ['from', { from: '2026-11-20T11:59:59Z', to: '2026-11-20T11:59:59Z' }],
    ['from', { from: '2025-11-20T11:59:59Z' }],
    ['from', { from: '2026-02-29T00:00:00Z' }],
    ['from', { from: '0000-01-01T00:00:00Z', to: '0000-02-01T00:00:00Z' }],
    ['to', { to: '2026-11-22T00:00:00.001Z' }],
    ['to', { to: 'tomorrow' }],
  ])('names %s when it is wrong: %j', (field, query) => {
    let issues: unknown = null;
    try {
      requestedPeriod(NOON, query);
    } catch (error) {
      issues = Object(error).details?.issues ?? Object(error).issues;
    }
    expect(Object.keys(Object(issues))).toEqual([field]);
  });
});
