import { describe, expect, test } from 'bun:test';
import { mapLogs } from '../../../../../src/proof/log/log-names.ts';
import { type CachedPackage, PackageCache } from '../../../../../src/trust/compliance/packages/cache.ts';

const entry = (json: string): CachedPackage => ({
  json,
  etag: '',
  builtAt: 0,
  state: '',
  version: '',
  sizes: mapLogs(() => 0),
  keySeq: 1,
});

describe('the cache of packages', () => {
  test('drops the least recently used ones when their texts are too long', () => {
    const cache = new PackageCache(30);
    for (const key of ['a', 'b', 'c']) cache.set(key, entry(key.repeat(10)));
    expect(cache.get('a')?.json).toBe('aaaaaaaaaa');
    cache.set('d', entry('d'.repeat(10)));
    expect(['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== null)).toEqual(['a', 'c', 'd']);
  });

  test('counts a key once, however often it is set', () => {
    const cache = new PackageCache(30);
    cache.set('other', entry('o'.repeat(10)));
    for (let times = 0; times < 10; times++) cache.set('a', entry('a'.repeat(20)));
    expect(cache.get('other')).not.toBeNull();
  });

  test('does not keep a text that is longer than all of it', () => {
    const cache = new PackageCache(5);
    cache.set('a', entry('a'.repeat(6)));
    expect(cache.get('a')).toBeNull();
  });
});
