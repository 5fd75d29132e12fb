import { expect, test } from 'bun:test';
import { DuplicateFormGuard } from '../../../../src/platform/page/duplicate-form-guard.ts';

test('a form that is sent twice within half a minute gets the first response, even while it is made', async () => {
  let now = 0;
  let made = 0;
  const repeats = new DuplicateFormGuard<number>(() => now);
  const make = async (): Promise<number> => ++made;
  expect(await Promise.all([repeats.once('a', make), repeats.once('a', make)])).toEqual([1, 1]);
  expect(await repeats.once('b', make)).toBe(2);
  now = 29_999;
  expect(await repeats.once('a', make)).toBe(1);
  now = 30_000;
  expect(await repeats.once('a', make)).toBe(3);
});

test('a failure is not repeated, and the number of responses is limited', async () => {
  const repeats = new DuplicateFormGuard<number>(() => 0);
  const failure = repeats.once('a', () => Promise.reject(new Error('refused')));
  await expect(failure).rejects.toThrow('refused');
  expect(await repeats.once('a', async () => 1)).toBe(1);
  for (let at = 0; at < 1000; at++) await repeats.once(`other ${at}`, async () => at);
  expect(await repeats.once('a', async () => 2)).toBe(2);
});
