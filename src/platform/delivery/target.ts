import { isIP } from 'node:net';
import type { Resolve } from '../network/name-resolver.ts';
import { withTimeout } from '../time/timeout.ts';
import { isLoopback, isPublicAddress } from './addresses.ts';

/** A target is not one that this service sends to; the message says what it must be or not. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

export interface TargetPolicy {
  /** Takes plain http and any address at all: for tests, and for those who serve their own network alone. */
  allowPrivate: boolean;
  /** Refuses every address but those of this machine. */
  loopbackOnly?: boolean;
  resolve: Resolve;
}

/** Where a delivery goes: what it is called, and the checked addresses that it may connect to. */
export interface Target {
  url: URL;
  addresses: readonly string[];
}

/** Characters; what browsers and servers commonly take. */
const MAX_URL = 2048;

/** A subscription does not wait longer for a name. */
const RESOLVE_MS = 2000;

/** Names that mean this machine or this network wherever they are asked for: RFC 6761, 6762, 8375; ICANN's `internal`. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

const NOT_HERE = 'must point to this machine, since the service is a demonstration';

const NOT_PUBLIC = 'must not point to a private, local or reserved address';

/**
 * Checks the target of a new subscription. A name that does not resolve (yet) is taken: it is checked again before each
 * delivery anyway.
 *
 * @param owner whose subscription it is, for the limits of look-ups
 * @returns the URL to keep, as every reader would write it. @throws TargetRefused
 */
export async function checkTarget(text: string, rules: TargetPolicy, owner: string): Promise<string> {
  const url = parseTarget(text, rules.allowPrivate);
  const found = resolveHost(url, rules.resolve, owner).catch(() => []);
  refuseAddresses(await withTimeout<readonly string[]>(found, RESOLVE_MS, () => []), rules);
  return url.href;
}

/**
 * Looks up a target for a delivery. All addresses of the name are checked, since any could be connected to.
 *
 * @param owner whose delivery it is, for the limits of look-ups
 * @throws TargetRefused, NameError
 */
export async function resolveTarget(text: string, rules: TargetPolicy, owner: string): Promise<Target> {
  const url = parseTarget(text, rules.allowPrivate);
  const addresses = await resolveHost(url, rules.resolve, owner);
  refuseAddresses(addresses, rules);
  return { url, addresses };
}

/** A URL's host as certificates and resolvers name it: no brackets around IPv6, no dot at the end. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/** The URL parser turns every spelling of an IPv4 host (decimal, octal, hexadecimal, short) into the usual one. */
function parseTarget(text: string, allowPrivate: boolean): URL {
  if (text.length > MAX_URL) throw new TargetRefused(`must have at most ${MAX_URL} characters`);
  // The parser would strip some of these, and keep a URL that nobody wrote.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) throw new TargetRefused('must be a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    throw new TargetRefused('must be an https URL');
  }
  if (url.username !== '' || url.password !== '' || /^[^/?#]*\/\/[^/?#]*@/.test(text)) {
    throw new TargetRefused('must not have a user name or password');
  }
  if (url.port === '0') throw new TargetRefused('must not have the port 0');
  if (url.href.includes('#')) throw new TargetRefused('must not have a fragment');
  // The dot of a fully qualified name is in no certificate.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const host = hostOf(url);
  if (host.split('.').includes('')) throw new TargetRefused('must name a host');
  if (!allowPrivate && PRIVATE_NAME.test(host)) throw new TargetRefused(NOT_PUBLIC);
  return url;
}

/** The addresses of a URL's host. @throws NameError */
export async function resolveHost(url: URL, resolve: Resolve, owner: string): Promise<readonly string[]> {
  const host = hostOf(url);
  return isIP(host) === 0 ? await resolve(host, owner) : [host];
}

function refuseAddresses(addresses: readonly string[], { allowPrivate, loopbackOnly }: TargetPolicy): void {
  if (loopbackOnly === true && !addresses.every(isLoopback)) throw new TargetRefused(NOT_HERE);
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new TargetRefused(NOT_PUBLIC);
}
