import { describe, expect, test } from 'bun:test';
import { checkTarget, resolveTarget, TargetRefused } from '../../../../src/platform/delivery/target.ts';
import type { Resolve } from '../../../../src/platform/network/name-resolver.ts';

const publicly: Resolve = async () => ['1.1.1.1', '2606:4700:4700::1111'];
const strict = { allowPrivate: false, resolve: publicly };

describe('a target at subscription', () => {
  test.each([
    ['https://hooks.example', 'https://hooks.example/'],
    ['https://hooks.example:8443/a?b=c', 'https://hooks.example:8443/a?b=c'],
    ['HTTPS://HOOKS.Example./a', 'https://hooks.example/a'],
    ['https://1.1.1.1/', 'https://1.1.1.1/'],
    ['https://b\u00fccher.example/', 'https://xn--bcher-kva.example/'],
    ['https://localhost.example/', 'https://localhost.example/'],
  ])('%p is kept as %p', async (url, kept) => {
    expect(await checkTarget(url, strict, 'somebody')).toBe(kept);
  });

  test.each([
    ['', 'must be a URL'],
    ['hooks.example', 'must be a URL'],
    ['https://', 'must be a URL'],
    ['https://./', 'must name a host'],
    ['https://a..b/', 'must name a host'],
    ['https://hooks.example../', 'must name a host'],
    ['http://hooks.example/', 'must be an https URL'],
    ['ftp://hooks.example/', 'must be an https URL'],
    ['javascript:alert(1)', 'must be an https URL'],
    ['file:///etc/passwd', 'must be an https URL'],
    ['https://user@hooks.example/', 'must not have a user name or password'],
    ['https://@hooks.example/', 'must not have a user name or password'],
    ['https://hooks.example/\r\nx: y', 'must be a URL'],
    ['https://hooks.example/a b', 'must be a URL'],
    ['https://hooks.example:0/', 'must not have the port 0'],
    ['https://:password@hooks.example/', 'must not have a user name or password'],
    ['https://1.1.1.1@127.0.0.1/', 'must not have a user name or password'],
    ['https://hooks.example/#a', 'must not have a fragment'],
    ['https://hooks.example/#', 'must not have a fragment'],
    [`https://hooks.example/${'a'.repeat(2048)}`, 'must have at most 2048 characters'],
    ['https://localhost/', 'private'],
    ['https://LOCALHOST.:3000/', 'private'],
    ['https://\u24dbocalhost/', 'private'],
    ['https://a.localhost/', 'private'],
    ['https://printer.local/', 'private'],
    ['https://metadata.google.internal/', 'private'],
    ['https://router.home.arpa/', 'private'],
    ['https://[::1]/', 'private'],
    ['https://0/', 'private'],
    ['https://127.1./', 'private'],
    ['https://10.0.0.1../', 'private'],
  ])('%p is refused: %p', async (url, why) => {
    const refused = await checkTarget(url, strict, 'somebody').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TargetRefused);
    expect(String(refused)).toContain(why);
  });

  test('is refused when any of its addresses is private', async () => {
    const resolve = async () => ['1.1.1.1', '10.0.0.1'];
    expect(checkTarget('https://hooks.example/', { ...strict, resolve }, 'somebody')).rejects.toThrow(
      'private',
    );
  });

  test('is taken when its name does not resolve, or not in time', async () => {
    const failing = async () => await Promise.reject(new Error('ENOTFOUND'));
    expect(await checkTarget('https://new.example/', { ...strict, resolve: failing }, 'somebody')).toBeTypeOf(
      'string',
    );
    const silent = () => new Promise<never>(() => undefined);
    expect(await checkTarget('https://new.example/', { ...strict, resolve: silent }, 'somebody')).toBeTypeOf(
      'string',
    );
  });

  test('may be anything with a host where private ones are allowed', async () => {
    const anywhere = { allowPrivate: true, resolve: async () => ['10.0.0.1'] };
    for (const url of ['http://localhost:3000/', 'https://127.0.0.1/', 'http://[::1]/', 'http://intranet/']) {
      expect(await checkTarget(url, anywhere, 'somebody')).toBe(url);
    }
    expect(checkTarget('ftp://localhost/', anywhere, 'somebody')).rejects.toThrow('https');
    expect(checkTarget('http://a@localhost/', anywhere, 'somebody')).rejects.toThrow('user name');
  });
});

describe('a target at delivery', () => {
  test('has all addresses of its name', async () => {
    const { url, addresses } = await resolveTarget('https://hooks.example/a', strict, 'somebody');
    expect([url.href, ...addresses]).toEqual(['https://hooks.example/a', '1.1.1.1', '2606:4700:4700::1111']);
  });

  test('is refused when its name has come to mean a private address', async () => {
    const resolve = async () => ['1.1.1.1', '::ffff:10.0.0.1'];
    expect(resolveTarget('https://hooks.example/', { ...strict, resolve }, 'somebody')).rejects.toThrow(
      TargetRefused,
    );
  });

  test('needs a name that resolves', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(resolveTarget('https://hooks.example/', { ...strict, resolve }, 'somebody')).rejects.toThrow(
      'ENOTFOUND',
    );
  });
});
