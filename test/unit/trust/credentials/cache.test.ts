import { describe, expect, test } from 'bun:test';
import { CredentialCache, DocumentCache, type SignedText } from '../../../../src/trust/credentials/cache.ts';

/** A value that is loaded when the test says so. */
function loading<Value>() {
  const { promise, resolve, reject } = Promise.withResolvers<Value>();
  return { load: () => promise, resolve, reject };
}

describe('a cache of documents', () => {
  test('loads a key once for calls that come together, and keeps the value', async () => {
    const cache = new DocumentCache<string, number>(2);
    let loads = 0;
    const load = async () => ++loads;
    expect(await Promise.all([cache.load('a', load), cache.load('a', load)])).toEqual([1, 1]);
    expect(cache.get('a')).toBe(1);
  });

  test('does not keep what was loaded before a change, but returns it to those who asked before', async () => {
    const cache = new DocumentCache<string, string>(2);
    const [before, after] = [loading<string>(), loading<string>()];
    const early = cache.load('a', before.load);
    cache.drop('a');
    const late = cache.load('a', after.load);
    after.resolve('new');
    before.resolve('old');
    expect(await Promise.all([early, late])).toEqual(['old', 'new']);
    expect(cache.get('a')).toBe('new');
  });

  test('does not keep what was loaded before everything was dropped', async () => {
    const cache = new DocumentCache<string, string>(2);
    const before = loading<string>();
    const early = cache.load('a', before.load);
    cache.clear();
    before.resolve('old');
    await early;
    expect(cache.get('a')).toBeNull();
  });

  test('keeps a key when another one changes', async () => {
    const cache = new DocumentCache<string, string>(2);
    const before = loading<string>();
    const early = cache.load('a', before.load);
    cache.drop('b');
    before.resolve('value');
    await early;
    expect(cache.get('a')).toBe('value');
  });

  test('loads again after a load that failed', async () => {
    const cache = new DocumentCache<string, string>(2);
    const failing = loading<string>();
    const failed = cache.load('a', failing.load);
    failing.reject(new Error('no disk'));
    await expect(failed).rejects.toThrow('no disk');
    expect(await cache.load('a', async () => 'value')).toBe('value');
  });

  test('drops the least recently used key when it is full', async () => {
    const cache = new DocumentCache<string, string>(2);
    for (const key of ['a', 'b']) await cache.load(key, async () => key);
    cache.get('a');
    await cache.load('c', async () => 'c');
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['a', null, 'c']);
  });
});

describe('what a transaction changes is dropped after its commit:', () => {
  const text: SignedText = { json: '{}', etag: '"x"', from: 0, until: 1, keySeq: 1 };

  /** A cache with two credentials and two lists. */
  async function filled(): Promise<CredentialCache> {
    const cache = new CredentialCache();
    for (const agent of ['a', 'b']) await cache.credentials.load(agent, async () => text);
    for (const cluster of ['hall', 'roof'])
      await cache.clusters.load(cluster, async () => ({ ...text, newestReceipt: 1 }));
    for (const list of [1, 2]) {
      await cache.lists.load(list, async () => text);
      await cache.bits.load(list, async () => ({ bits: new Uint8Array(), mark: 1 }));
    }
    return cache;
  }

  const left = (cache: CredentialCache) => [
    ...['a', 'b'].filter((agent) => cache.credentials.get(agent) !== null),
    ...['hall', 'roof'].filter((cluster) => cache.clusters.get(cluster) !== null),
    ...[1, 2].filter((list) => cache.lists.get(list) !== null && cache.bits.get(list) !== null),
  ];

  /** Collects the effects of a transaction, and runs them when it commits. */
  function transaction() {
    const effects: (() => void)[] = [];
    return {
      afterCommit: (effect: () => void) => void effects.push(effect),
      commit: () => effects.forEach((effect) => void effect()),
    };
  }

  test.each<
    [
      what: string,
      change: (cache: CredentialCache, tx: ReturnType<typeof transaction>) => void,
      kept: (string | number)[],
    ]
  >([
    [
      'the credential of an agent whose numbers change',
      (cache, tx) => cache.changedIn(tx, 'a'),
      ['b', 'hall', 'roof', 1, 2],
    ],
    [
      'its credential and all lists for a revoked agent',
      (cache, tx) => cache.agentRevokedIn(tx, 'a'),
      ['b', 'hall', 'roof'],
    ],
    [
      'its credential and its list for a revoked credential',
      (cache, tx) => cache.credentialRevokedIn(tx, { commitment: 'a', clusterId: null, listSeq: 1 }),
      ['b', 'hall', 'roof', 2],
    ],
    [
      'the credential of a cluster and its list for a revoked credential about a cluster',
      (cache, tx) => cache.credentialRevokedIn(tx, { commitment: null, clusterId: 'hall', listSeq: 1 }),
      ['a', 'b', 'roof', 2],
    ],
  ])('%s', async (_, change, kept) => {
    const cache = await filled();
    const tx = transaction();
    change(cache, tx);
    expect(left(cache)).toEqual(['a', 'b', 'hall', 'roof', 1, 2]);
    tx.commit();
    expect(left(cache)).toEqual(kept);
  });
});
