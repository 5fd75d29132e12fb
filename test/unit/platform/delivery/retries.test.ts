import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { retryDelay } from '../../../../src/platform/delivery/retries.ts';

test('a delivery has six attempts over about 24 hours', () => {
  const waits = [1, 2, 3, 4, 5].map((attempts) => retryDelay(attempts, () => 0.5));
  expect(waits).toEqual([30_000, 300_000, 3_600_000, 18_000_000, 64_800_000]);
  expect(retryDelay(6, () => 0.5)).toBeNull();
});

test('the pause before each attempt of a delivery varies by a tenth', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
      const wait = retryDelay(1, () => random);
      expect(wait).toBeWithin(27_000, 33_001);
    }),
  );
});
