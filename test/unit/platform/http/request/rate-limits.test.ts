import { describe, expect, test } from 'bun:test';
import { BlockList } from 'node:net';
import { Refusal } from '../../../../../src/platform/http/errors/errors.ts';
import {
  addressKey,
  clientAddress,
  RateLimiter,
} from '../../../../../src/platform/http/request/rate-limits.ts';

const trusted = new BlockList();
trusted.addSubnet('10.0.0.0', 8, 'ipv4');
trusted.addAddress('::1', 'ipv6');
trusted.addSubnet('fd00::', 8, 'ipv6');

describe('the client address that limits count', () => {
  test.each([
    ['a peer that is no proxy, whatever it says', '203.0.113.1', '198.51.100.7', '203.0.113.1'],
    ['a proxy that says nothing', '10.0.0.1', null, '10.0.0.1'],
    ['what a proxy says', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['the rightmost hop that is no proxy', '10.0.0.1', '1.1.1.1, 198.51.100.7, 10.2.2.2', '198.51.100.7'],
    ['forged hops on the left', '10.0.0.1', '127.0.0.1, 10.9.9.9, 198.51.100.7', '198.51.100.7'],
    ['proxies all the way', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a hop that is no address', '10.0.0.1', '198.51.100.7, unknown', '10.0.0.1'],
    ['an empty hop', '10.0.0.1', '198.51.100.7,', '10.0.0.1'],
    ['a hop with a port', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
    ['IPv6 with a port', '::1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['IPv6 behind IPv6', 'fd00::2', '2001:db8::5', '2001:db8::5'],
    ['a proxy by its IPv4 within IPv6', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ])('%s', (_name, peer, forwarded, client) => {
    expect(clientAddress(peer, forwarded, trusted)).toBe(client);
  });

  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

describe('counting requests', () => {
  const policy = { name: 'some', requests: 3, seconds: 60 };
  const ask = async (limits: RateLimiter, peer: string) => {
    const request = new Request('http://localhost/');
    limits.seen(request, peer);
    return limits.count(request, policy);
  };

  test('each address has its own count; the headers show what is left', async () => {
    const limits = new RateLimiter({ on: true, trustedProxies: new BlockList() });
    const left: unknown[] = [];
    for (let turn = 0; turn < 3; turn++) left.push((await ask(limits, '1.1.1.1')).ratelimit);
    expect(left).toEqual(['"some";r=2;t=60', '"some";r=1;t=60', '"some";r=0;t=60']);
    const refused = await ask(limits, '1.1.1.1').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    if (!(refused instanceof Refusal)) throw refused;
    expect(refused.cause).toBe('rate');
    expect(refused.details.headers).toEqual({
      'ratelimit-policy': '"some";q=3;w=60',
      ratelimit: '"some";r=0;t=60',
      'retry-after': '60',
    });
    expect((await ask(limits, '1.1.1.2')).ratelimit).toBe('"some";r=2;t=60');
  });

  test('counts nothing and sends no headers when limits are off', async () => {
    const limits = new RateLimiter({ on: false, trustedProxies: new BlockList() });
    for (let turn = 0; turn < 9; turn++) expect(await ask(limits, '1.1.1.1')).toEqual({});
  });
});
