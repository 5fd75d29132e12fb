import { expect, test } from 'bun:test';
import { StoreCache } from '../../../../../src/platform/store/cache/store-cache.ts';
import type { Snapshot } from '../../../../../src/platform/store/transaction.ts';

/** Numbers that stand for what is stored, and how often each was read. A read ends when `settled` does. */
function stored(
  values: Record<string, number>,
  most: number,
  settled: () => Promise<void> = () => Promise.resolve(),
) {
  const reads: string[] = [];
  const store = {
    async read<T>(body: (snapshot: Snapshot) => T | Promise<T>): Promise<T> {
      const value = await body(Object.create(null));
      await settled();
      return value;
    },
  };
  const read = (_: Snapshot, key: string): number => {
    reads.push(key);
    return values[key] ?? 0;
  };
  return { cache: new StoreCache(store, read, most), reads };
}

/** A transaction of which only the commit matters. */
function transaction() {
  const effects: (() => void)[] = [];
  return {
    tx: { afterCommit: (effect: () => void) => void effects.push(effect) },
    commit: () => {
      for (const effect of effects) effect();
    },
  };
}

test('a cached value is read once, and again after the commit of a change', async () => {
  const values = { a: 1 };
  const { cache, reads } = stored(values, 10);
  expect([await cache.get('a'), cache.get('a')]).toEqual([1, 1]);
  const { tx, commit } = transaction();
  values.a = 2;
  cache.changedIn(tx, 'a');
  expect(cache.get('a')).toBe(1);
  commit();
  expect([await cache.get('a'), reads]).toEqual([2, ['a', 'a']]);
});

test('a value that was read before a commit and returns after it is not cached', async () => {
  const values = { a: 1 };
  const { promise, resolve } = Promise.withResolvers<void>();
  const { cache } = stored(values, 10, () => promise);
  const early = cache.get('a');
  const { tx, commit } = transaction();
  cache.changedIn(tx, 'a');
  values.a = 2;
  commit();
  resolve();
  expect([await early, await cache.get('a')]).toEqual([1, 2]);
});

test('the least recently used value is dropped first', async () => {
  const { cache, reads } = stored({}, 2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(key);
  expect(reads).toEqual(['a', 'b', 'c', 'b']);
});
