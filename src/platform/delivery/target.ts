import { isIP } from 'node:net';
import { isLoopback, isPublicAddress } from '../network/addresses.ts';
import type { Resolve } from '../network/name-resolver.ts';
import { withTimeout } from '../time/timeout.ts';

/** The service does not send to this target. The message is a phrase without subject that names the rule. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
}

export interface TargetPolicy {
  /** Accepts plain http and any address: for tests, and for services within a private network. */
  allowPrivate: boolean;
  /** Refuses every address except the loopback addresses. */
  loopbackOnly?: boolean;
  resolve: Resolve;
}

/** The target of a delivery: its URL, and the checked addresses to connect to. */
export interface Target {
  url: URL;
  addresses: readonly string[];
}

/** The maximum length in characters. Browsers and servers commonly accept this much. */
const MAX_URL = 2048;

/** The timeout of a subscription's name lookup. */
const RESOLVE_MS = 2000;

/** Names that mean this machine or this network everywhere: RFC 6761, 6762, 8375; ICANN's `internal`. */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

const NOT_HERE = 'must point to this machine, since the service is a demonstration';

const NOT_PUBLIC = 'must not point to a private, local or reserved address';

/**
 * Checks the target of a new subscription. Accepts a name that does not resolve yet, because each delivery
 * checks it again.
 *
 * @param owner the owner of the subscription, for the limits of look-ups
 * @returns the URL to store, in normalized form @throws TargetRefused
 */
export async function checkTarget(text: string, rules: TargetPolicy, owner: string): Promise<string> {
  const url = parseTarget(text, rules.allowPrivate);
  const addresses = resolveHost(url, rules.resolve, owner).catch(() => []);
  refuseAddresses(await withTimeout<readonly string[]>(addresses, RESOLVE_MS, () => []), rules);
  return url.href;
}

/**
 * Looks up a target for a delivery. Checks all addresses of the name, because the connection may use any of
 * them.
 *
 * @param owner the owner of the delivery, for the limits of look-ups
 * @throws TargetRefused, NameError
 */
export async function resolveTarget(text: string, rules: TargetPolicy, owner: string): Promise<Target> {
  const url = parseTarget(text, rules.allowPrivate);
  const addresses = await resolveHost(url, rules.resolve, owner);
  refuseAddresses(addresses, rules);
  return { url, addresses };
}

/** Returns a URL's host as certificates and resolvers write it: without brackets around IPv6. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * Parses and checks a target. The URL parser normalizes every form of an IPv4 host (decimal, octal,
 * hexadecimal, short). @throws TargetRefused
 */
function parseTarget(text: string, allowPrivate: boolean): URL {
  if (text.length > MAX_URL) throw new TargetRefused(`must have at most ${MAX_URL} characters`);
  // The parser would remove some of these and return a URL that differs from the text.
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
  // Certificates have no trailing dot in names.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const host = hostOf(url);
  if (host.split('.').includes('')) throw new TargetRefused('must name a host');
  if (!allowPrivate && PRIVATE_NAME.test(host)) throw new TargetRefused(NOT_PUBLIC);
  return url;
}

/** Returns the addresses of a URL's host. @throws NameError */
export async function resolveHost(url: URL, resolve: Resolve, owner: string): Promise<readonly string[]> {
  const host = hostOf(url);
  return isIP(host) === 0 ? await resolve(host, owner) : [host];
}

function refuseAddresses(addresses: readonly string[], { allowPrivate, loopbackOnly }: TargetPolicy): void {
  if (loopbackOnly === true && !addresses.every(isLoopback)) throw new TargetRefused(NOT_HERE);
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new TargetRefused(NOT_PUBLIC);
}
