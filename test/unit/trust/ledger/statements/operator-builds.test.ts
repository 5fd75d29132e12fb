import { expect, test } from 'bun:test';
import { Refusal } from '../../../../../src/platform/http/errors/errors.ts';
import { OperatorBuilds } from '../../../../../src/trust/ledger/statements/operator-builds.ts';

const [ONE, TWO] = [1, 2];

/** Returns the Retry-After of a refusal; null if the place is free, which it takes. */
function waitOf(builds: OperatorBuilds, operator: number | null): string | null {
  try {
    builds.take(operator);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.cause).toBe('rate');
    return error.details.headers?.['retry-after'] ?? 'none';
  }
}

test('an operator has four months added up at a time, and a place is free once', () => {
  const builds = new OperatorBuilds(null);
  const [free] = [1, 2, 3, 4].map(() => builds.take(ONE));
  if (free === undefined) throw new Error('there are four');
  expect(waitOf(builds, ONE)).toBe('2');
  expect(waitOf(builds, TWO)).toBeNull();
  free();
  free();
  expect([waitOf(builds, ONE), waitOf(builds, ONE)]).toEqual([null, '2']);
});

test('an operator has so many a minute, and says when the minute is over', () => {
  let now = 5000;
  const builds = new OperatorBuilds(2, () => now);
  for (const _ of [1, 2]) builds.take(ONE)();
  now += 20_500;
  expect([waitOf(builds, ONE), waitOf(builds, TWO)]).toEqual(['40', null]);
  now += 39_500;
  expect(waitOf(builds, ONE)).toBeNull();
});

test('what was refused does not count, and the local administrator has no limit', () => {
  let now = 0;
  const builds = new OperatorBuilds(5, () => now);
  const frees = [1, 2, 3, 4].map(() => builds.take(ONE));
  for (const _ of [1, 2, 3]) expect(waitOf(builds, ONE)).toBe('2');
  for (const free of frees) free();
  builds.take(ONE)();
  expect(waitOf(builds, ONE)).toBe('60');
  for (let index = 0; index < 100; index++) expect(waitOf(builds, null)).toBeNull();
  now += 60_000;
  expect(waitOf(builds, ONE)).toBeNull();
});
