import { expect, test } from 'bun:test';
import { daysOf, periodOf } from '../../../../../src/trust/datacenter/scorecard/period.ts';

const NOW = Date.parse('2026-05-04T12:00:00.000Z');

test.each([
  ['from', 'must be before to', { from: '2026-05-04T12:00:00Z', to: '2026-05-04T11:00:00Z' }],
  ['from', 'must be at most 366 days before to', { from: '2025-05-03T23:59:59Z' }],
  ['from', 'must not be before 1970', { from: '1969-12-31T00:00:00Z', to: '1970-02-01T00:00:00Z' }],
  ['to', 'must not be after the end of today (UTC)', { to: '2026-05-05T00:00:00.001Z' }],
])('%s of a period %s', (member, message, query) => {
  const error = thrownBy(() => daysOf(query, NOW));
  expect(error).toHaveProperty(`details.issues.${member}`, [message]);
});

test.each([
  ['without from and to', {}, '2025-05-05', '2026-05-05'],
  ['up to a day', { to: '2026-05-02T00:00:00Z' }, '2025-05-02', '2026-05-02'],
  ['up to a time of a day', { to: '2026-05-02T00:00:00.001Z' }, '2025-05-03', '2026-05-03'],
  ['from a time of a day', { from: '2026-05-02T23:59:59Z' }, '2026-05-02', '2026-05-05'],
  ['of 366 days', { from: '2025-05-04T00:00:00Z' }, '2025-05-04', '2026-05-05'],
  [
    'in another time zone',
    { from: '2026-05-02T00:30:00+01:00', to: '2026-05-02T00:30:00-01:00' },
    '2026-05-01',
    '2026-05-03',
  ],
])('a period %s is of whole UTC days', (_, query, from, to) => {
  expect(periodOf(daysOf(query, NOW))).toEqual({ from: `${from}T00:00:00.000Z`, to: `${to}T00:00:00.000Z` });
});

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return null;
}
