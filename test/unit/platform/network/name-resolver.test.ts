import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  NameError,
  NameResolver,
  type ResolverLimits,
} from '../../../../src/platform/network/name-resolver.ts';
import { ResolvConf } from '../../../../src/platform/network/resolv-conf.ts';
import { type NameServer, silentNameServer } from '../../../support/name-server.ts';
import { eventually } from '../../../support/virtual-time.ts';

const LIMITS: ResolverLimits = { running: 4, runningOfOne: 2, waiting: 6, waitingOfOne: 3, limitMs: 60_000 };

/** Look-ups that end when the test says so. */
function held(limits: Partial<ResolverLimits> = {}) {
  const asked = new Map<string, (addresses: readonly string[]) => void>();
  const names = new NameResolver((name) => new Promise((resolve) => asked.set(name, resolve)), {
    ...LIMITS,
    ...limits,
  });
  return {
    names,
    asked: () => [...asked.keys()],
    answer: (name: string) => asked.get(name)?.(['192.0.2.1']),
  };
}

const reasonOf = (error: unknown): unknown => (error instanceof NameError ? error.reason : error);
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('lookups of names', () => {
  test('of one owner take only its slots, and those beyond its queue are refused immediately', async () => {
    const { names, asked, answer } = held();
    const outcomes = Array.from({ length: 8 }, (_, n) => names.resolve(`a${n}`, 'a').catch(reasonOf));
    await turn();
    expect(asked()).toEqual(['a0', 'a1']);
    expect(await Promise.all(outcomes.slice(5))).toEqual(['busy', 'busy', 'busy']);
    const other = names.resolve('b0', 'b');
    await turn();
    answer('b0');
    expect(await other).toEqual(['192.0.2.1']);
    for (const name of ['a0', 'a1', 'a2', 'a3', 'a4']) {
      await turn();
      answer(name);
    }
    expect(await Promise.all(outcomes.slice(0, 5))).toEqual(Array(5).fill(['192.0.2.1']));
  });

  test('of many owners take turns, and no more wait than may', async () => {
    const { names, asked, answer } = held();
    const all = ['a', 'b', 'c', 'd', 'e'].flatMap((owner) =>
      [0, 1, 2].map((n) => names.resolve(`${owner}${n}`, owner).catch(reasonOf)),
    );
    await turn();
    // Four run, two of each of the first; six wait; the other five are refused.
    expect(asked()).toEqual(['a0', 'a1', 'b0', 'b1']);
    expect(await Promise.all(all.slice(-4))).toEqual(['busy', 'busy', 'busy', 'busy']);
    for (const name of ['a0', 'a1', 'b0', 'b1']) answer(name);
    await turn();
    expect(asked().slice(4).sort()).toEqual(['a2', 'b2', 'c0', 'd0']);
    for (const name of ['a2', 'b2', 'c0', 'd0']) answer(name);
    await turn();
    expect(asked().slice(8)).toEqual(['c1', 'c2']);
  });

  test('time out, running and waiting alike, and free their slots', async () => {
    const { names, asked, answer } = held({ limitMs: 30, runningOfOne: 1, running: 1 });
    const running = names.resolve('dead', 'a').catch(reasonOf);
    const waiting = names.resolve('late', 'a').catch(reasonOf);
    expect(await running).toBe('late');
    await Promise.race([waiting, eventually(() => asked().includes('late'))]);
    expect(await waiting).toBeOneOf(['late', 'busy']);
    const after = names.resolve('good', 'a');
    await turn();
    answer('good');
    expect(await after).toEqual(['192.0.2.1']);
  });

  test('report a name without an address as not resolving, for every error of the resolver', async () => {
    const none = new NameResolver(async () => []);
    const failing = new NameResolver(() => Promise.reject(new Error('getaddrinfo ENOTFOUND')));
    for (const names of [none, failing]) {
      expect(await names.resolve('x.example', 'a').catch(reasonOf)).toBe('unknown');
    }
  });
});

describe('the resolver of this machine', () => {
  let server: NameServer;
  beforeAll(async () => {
    server = await silentNameServer();
  });
  afterAll(() => server.stop());

  test('resolves localhost and the names of the hosts file without a query', async () => {
    const { resolve } = new NameResolver();
    const before = server.asked();
    for (const name of ['localhost', 'LOCALHOST', hostname()]) {
      expect(await resolve(name, 'a')).toContainAnyValues(['127.0.0.1', '::1', '127.0.1.1']);
    }
    expect(server.asked()).toBe(before);
  });

  test('gives up a name that never resolves after its limit, and stops neither signatures nor files meanwhile', async () => {
    const { resolve } = new NameResolver();
    const before = server.asked();
    const since = performance.now();
    const dead = Array.from({ length: 64 }, (_, n) =>
      resolve(`n${n}.never.example`, `owner ${n % 8}`).catch(reasonOf),
    );
    await eventually(() => server.asked() > before);
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const message = Buffer.from('message');
    const signature = sign(null, message, privateKey);
    const verified = await new Promise((done) =>
      verify(null, message, publicKey, signature, (_error, is) => done(is)),
    );
    const directory = mkdtempSync(join(tmpdir(), 'countersign-names-'));
    await writeFile(join(directory, 'file'), 'text');
    rmSync(directory, { recursive: true });
    // getaddrinfo would have blocked every thread for 5 s and more.
    expect(performance.now() - since).toBeLessThan(1900);
    expect(verified).toBe(true);
    expect(await Promise.all(dead)).toEqual(Array(64).fill('late'));
  });

  test('uses IPv4 when the name server never responds for IPv6', async () => {
    expect(await new NameResolver().resolve('v4.example.', 'a')).toEqual(['192.0.2.7']);
  });
});

test('the name servers of a resolv.conf that changed are used, and one without any changes nothing', () => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-resolv-'));
  const path = join(directory, 'resolv.conf');
  const used: string[][] = [];
  let now = 0;
  const conf = new ResolvConf(
    path,
    (servers) => used.push(servers),
    () => now,
  );
  const write = (text: string): void => {
    writeFileSync(path, text);
    now += 2000;
    conf.follow();
  };
  conf.follow();
  write('# none yet\n');
  write(
    'search a.example\nnameserver 192.0.2.1\n nameserver\t2001:db8::1\n#nameserver 192.0.2.9\nnameserver x\n',
  );
  write('nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\nnameserver 192.0.2.4\n');
  now += 2000;
  conf.follow();
  expect(used).toEqual([
    ['192.0.2.1', '2001:db8::1'],
    ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  ]);
  rmSync(directory, { recursive: true });
});
