import { expect, test } from 'bun:test';
import { whenParentEnds } from '../../../../src/platform/test-service/parent.ts';

test('a parent that ended before it was looked for has ended', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = whenParentEnds(resolve, process.ppid + 1);
  const kept = setInterval(() => undefined, 1000);
  await promise;
  clearInterval(kept);
  stop();
});

test('a parent that lives has not ended', async () => {
  let ended = 0;
  const stop = whenParentEnds(() => (ended += 1));
  const { promise, resolve } = Promise.withResolvers<void>();
  const other = whenParentEnds(resolve, process.ppid + 1);
  const kept = setInterval(() => undefined, 1000);
  await promise;
  clearInterval(kept);
  stop();
  other();
  expect(ended).toBe(0);
});
