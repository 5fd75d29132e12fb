import { expect, test } from 'bun:test';
import { LeavesUncovered, whenCovered } from '../../../../src/trust/credentials/coverage.ts';
import { Publications } from '../../../../src/trust/log/checkpoints/publications.ts';

const serviceWith = (publications: Publications) => ({ log: { publisher: { publications } } });

test('an attempt whose leaves are covered runs once', async () => {
  let attempts = 0;
  const result = await whenCovered(serviceWith(new Publications()), async () => ++attempts);
  expect([result, attempts]).toEqual([1, 1]);
});

test('an attempt is repeated after each publication until its leaves are covered', async () => {
  const publications = new Publications();
  let attempts = 0;
  const result = whenCovered(serviceWith(publications), async () => {
    attempts++;
    if (attempts === 3) return 'covered';
    // A publication during the attempt counts too: nothing waits for a later one.
    if (attempts === 1) publications.record();
    else queueMicrotask(() => publications.record());
    throw new LeavesUncovered();
  });
  expect([await result, attempts]).toEqual(['covered', 3]);
});

test('leaves that stay uncovered are reported as an overload, with a last attempt at the end', async () => {
  let attempts = 0;
  const result = whenCovered(
    serviceWith(new Publications()),
    () => {
      attempts++;
      return Promise.reject(new LeavesUncovered());
    },
    5,
  );
  await expect(result).rejects.toMatchObject({ code: 'overloaded' });
  expect(attempts).toBe(2);
});

test('another error of an attempt is not repeated', async () => {
  let attempts = 0;
  const result = whenCovered(serviceWith(new Publications()), () => {
    attempts++;
    return Promise.reject(new Error('no disk'));
  });
  await expect(result).rejects.toThrow('no disk');
  expect(attempts).toBe(1);
});
