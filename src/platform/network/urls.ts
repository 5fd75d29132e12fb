import { networkInterfaces } from 'node:os';

type Scheme = 'http' | 'https';

/**
 * Returns the URL at which this machine reaches a listener on `host`, which may be the unspecified address.
 */
export function localUrl(scheme: Scheme, host: string, port: number): string {
  return urlOf(scheme, isEveryAddress(host) ? '127.0.0.1' : host, port);
}

/**
 * Returns the URLs at which other machines reach a listener on all addresses, IPv4 first; null when `host` is
 * one address. Leaves out loopback addresses, and link-local ones, which need a zone.
 */
export function networkUrls(
  scheme: Scheme,
  host: string,
  port: number,
  interfaces: typeof networkInterfaces = networkInterfaces,
): string[] | null {
  if (!isEveryAddress(host)) return null;
  const addresses = Object.values(interfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(fe[89ab]|169\.254\.)/i.test(address));
  const ofFamily = (wantedFamily: string) =>
    addresses
      .filter(({ family }) => family === wantedFamily)
      .map(({ address }) => urlOf(scheme, address, port));
  return [...ofFamily('IPv4'), ...(host.includes(':') ? ofFamily('IPv6') : [])];
}

/**
 * Returns whether `host` is the unspecified address: `0.0.0.0`, or `::` in any notation, which accepts IPv4
 * too.
 */
function isEveryAddress(host: string): boolean {
  if (!/^[0:]/.test(host)) return false;
  return ['0.0.0.0', '[::]'].includes(URL.parse(urlOf('http', host, 80))?.hostname ?? '');
}

function urlOf(scheme: Scheme, host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
