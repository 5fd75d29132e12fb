import { expect, test } from 'bun:test';
import { pauseMs } from '../../../../../src/tools/capture/session/pauses.ts';

test('a pause lasts as long as the service asks, and an hour at most', () => {
  expect(pauseMs(2000, 0)).toBe(2000);
  // 30 days: more than a timer can wait.
  expect(pauseMs(2_592_000_000, 0)).toBe(3_600_000);
});

test('a service that asks for nothing gets pauses that grow to a minute', () => {
  expect([0, 1, 5, 6, 2000].map((pauses) => pauseMs(null, pauses))).toEqual([
    1000, 2000, 32_000, 60_000, 60_000,
  ]);
});
