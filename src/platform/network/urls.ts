import { networkInterfaces } from 'node:os';

type Scheme = 'http' | 'https';

/** Returns the URL by which this machine reaches what listens on `host`, also where that means all addresses. */
export function localUrl(scheme: Scheme, host: string, port: number): string {
  return urlOf(scheme, isEveryAddress(host) ? '127.0.0.1' : host, port);
}

/**
 * Returns the URLs by which other machines reach what listens on all addresses: those of this machine but loopback and
 * link-local ones, which work without a zone nowhere; IPv4 first. Null when `host` is one address.
 */
export function networkUrls(
  scheme: Scheme,
  host: string,
  port: number,
  interfaces: typeof networkInterfaces = networkInterfaces,
): string[] | null {
  if (!isEveryAddress(host)) return null;
  const found = Object.values(interfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(fe[89ab]|169\.254\.)/i.test(address));
  const ofFamily = (wanted: string) =>
    found.filter(({ family }) => family === wanted).map(({ address }) => urlOf(scheme, address, port));
  return [...ofFamily('IPv4'), ...(host.includes(':') ? ofFamily('IPv6') : [])];
}

/** `0.0.0.0`, or `::` in any spelling, which takes IPv4 as well. */
function isEveryAddress(host: string): boolean {
  if (!/^[0:]/.test(host)) return false;
  return ['0.0.0.0', '[::]'].includes(URL.parse(urlOf('http', host, 80))?.hostname ?? '');
}

function urlOf(scheme: Scheme, host: string, port: number): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
