import { describe, expect, test } from 'bun:test';
import { localUrl, networkUrls } from '../../../../src/platform/network/urls.ts';

const address = (family: 'IPv4' | 'IPv6', text: string, internal = false) => ({
  ...{ address: text, netmask: '', mac: '', internal, cidr: null },
  ...(family === 'IPv4' ? { family } : { family, scopeid: 0 }),
});
const INTERFACES = {
  lo: [address('IPv4', '127.0.0.1', true), address('IPv6', '::1', true)],
  eth0: [address('IPv6', 'fd00::2'), address('IPv4', '192.0.2.2'), address('IPv6', 'fe80::1')],
  eth1: [address('IPv4', '169.254.3.4'), address('IPv4', '198.51.100.7')],
  none: undefined,
};

describe('the URLs of a listener', () => {
  test.each(['0.0.0.0', '::', '::0', '0:0:0:0:0:0:0:0'])(
    'on %s, all addresses, lead this machine to 127.0.0.1, where a client can connect',
    (host) => expect(localUrl('http', host, 3000)).toBe('http://127.0.0.1:3000'),
  );

  test('on one address name it, IPv6 in brackets', () => {
    expect(localUrl('http', '127.0.0.1', 3000)).toBe('http://127.0.0.1:3000');
    expect(localUrl('https', '::1', 8443)).toBe('https://[::1]:8443');
    expect(localUrl('http', 'trust.internal', 1)).toBe('http://trust.internal:1');
    for (const host of ['127.0.0.1', '::1', '192.0.2.2', 'localhost'])
      expect(networkUrls('http', host, 3000, () => INTERFACES)).toBeNull();
  });

  test('on all addresses name for others those that lead there: no loopback, no link-local ones', () => {
    expect(networkUrls('http', '0.0.0.0', 80, () => INTERFACES)).toEqual([
      'http://192.0.2.2:80',
      'http://198.51.100.7:80',
    ]);
    expect(networkUrls('https', '::', 443, () => INTERFACES)).toEqual([
      'https://192.0.2.2:443',
      'https://198.51.100.7:443',
      'https://[fd00::2]:443',
    ]);
    expect(networkUrls('http', '::', 80, () => ({ lo: INTERFACES.lo }))).toEqual([]);
    expect(networkUrls('http', '0.0.0.0', 80)).toBeArray();
  });
});
