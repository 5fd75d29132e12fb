import { expect, test } from 'bun:test';
import { checkRevocations } from '../../../../src/proof/receipt/revocations.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 5);
const list = (time: number | null) => ({ revoked: new Set(['rcpt_1']), time });

test('a receipt in the log of revocations is revoked, however old the copy', () => {
  for (const time of [null, 0, NOW]) expect(checkRevocations(list(time), 'rcpt_1', NOW)).toBe('revoked');
});

test('a receipt outside the log of revocations is active only as far as the checkpoint is fresh', () => {
  expect(checkRevocations(list(NOW - 15 * MINUTE), 'rcpt_2', NOW)).toBe('ok');
  expect(checkRevocations(list(NOW + MINUTE), 'rcpt_2', NOW)).toBe('ok');
  expect(checkRevocations(list(NOW - 15 * MINUTE - 1), 'rcpt_2', NOW)).toBe('stale');
  expect(checkRevocations(list(NOW), 'rcpt_2', Number.NaN)).toBe('stale');
  expect(checkRevocations(list(null), 'rcpt_2', NOW)).toBe('undated');
});

test('a checkpoint dated more than a minute in the future is not fresh', () => {
  expect(checkRevocations(list(NOW + MINUTE + 1), 'rcpt_2', NOW)).toBe('future');
  expect(checkRevocations(list(Number.MAX_SAFE_INTEGER), 'rcpt_2', NOW)).toBe('future');
  expect(checkRevocations(list(NOW + MINUTE + 1), 'rcpt_1', NOW)).toBe('revoked');
});

test('a checkpoint of today is fresh for a question about an earlier time', () => {
  expect(checkRevocations(list(NOW), 'rcpt_2', NOW - 60 * MINUTE, NOW)).toBe('ok');
  expect(checkRevocations(list(NOW + MINUTE + 1), 'rcpt_2', NOW - 60 * MINUTE, NOW)).toBe('future');
});
