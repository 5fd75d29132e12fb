import { type BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { Payer } from '../../turns/payers.ts';
import { Refusal } from '../errors/errors.ts';

/** A rate limit for each client address. */
export interface RateLimit {
  /** The name in the RateLimit headers. */
  name: string;
  requests: number;
  /** The length of a window, which starts with its first request. */
  seconds: number;
}

/** The settings of the rate limiter. */
export interface RateLimitSettings {
  on: boolean;
  trustedProxies: BlockList;
}

/**
 * The IP address of a client's connection, null if it is unknown; or a function that looks it up while the
 * connection is open, which takes 2 µs.
 */
export type Peer = string | null | (() => string | null);

/** Counts the requests of each client address against rate limits. */
export class RateLimiter {
  private readonly limiters = new Map<string, RateLimiterMemory>();
  private readonly peers = new WeakMap<Request, Peer>();

  constructor(private readonly settings: RateLimitSettings) {}

  /** Records the client address of a request's connection. */
  seen(request: Request, peer: Peer): void {
    if (peer !== null) this.peers.set(request, peer);
  }

  /**
   * Returns the client of a request, as limits count clients: an IPv4 address, or the /64 of an IPv6 address.
   */
  callerOf(request: Request): string {
    return this.addressOf(request, this.peers.get(request) ?? null);
  }

  /**
   * Returns the client address of a request as its payer. One client may have a whole /48 of IPv6, so its
   * addresses take turns inside one turn.
   */
  payerAt(request: Request, peer: Peer, key = ''): Payer {
    const address = this.addressOf(request, peer);
    const network = networkOf(address);
    return {
      id: `address ${address}`,
      key,
      isFree: false,
      isStranger: true,
      ...(network === null ? {} : { network }),
    };
  }

  private addressOf(request: Request, peer: Peer): string {
    const address = (typeof peer === 'function' ? peer() : peer) ?? 'unknown';
    const forwarded = request.headers.get('x-forwarded-for');
    return addressKey(clientAddress(address, forwarded, this.settings.trustedProxies));
  }

  /**
   * Counts a request. The headers follow IETF draft-ietf-httpapi-ratelimit-headers-10.
   *
   * @returns the headers of its response @throws Refusal rate
   */
  async count(request: Request, policy: RateLimit): Promise<Record<string, string>> {
    if (!this.settings.on) return {};
    const { name, requests, seconds } = policy;
    const described = { 'ratelimit-policy': `"${name}";q=${requests};w=${seconds}` };
    const headers = ({ remainingPoints, msBeforeNext }: RateLimiterRes): Record<string, string> => ({
      ...described,
      ratelimit: `"${name}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`,
    });
    try {
      return headers(await this.limiter(policy).consume(this.callerOf(request)));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const wait = String(Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      throw new Refusal('rate', { headers: { ...headers(error), 'retry-after': wait } });
    }
  }

  private limiter({ name, requests, seconds }: RateLimit): RateLimiterMemory {
    const known = this.limiters.get(name);
    if (known !== undefined) return known;
    const fresh = new RateLimiterMemory({ points: requests, duration: seconds });
    this.limiters.set(name, fresh);
    return fresh;
  }
}

/**
 * Returns the client address of a request: the peer, unless that is a trusted proxy. Then it is the rightmost
 * hop of X-Forwarded-For that is not a trusted proxy. Any client could have written the hops to the left.
 */
export function clientAddress(peer: string, forwarded: string | null, trusted: BlockList): string {
  let client = peer;
  const hops = (forwarded ?? '').split(',').map((hop) => hop.trim());
  while (isTrusted(client, trusted)) {
    const hop = hops.pop();
    // A trusted proxy writes only addresses.
    if (hop === undefined || isIP(bare(hop)) === 0) return client;
    client = bare(hop);
  }
  return client;
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns a hop without its port, which some proxies add: `1.2.3.4:5678`, `[::1]:5678`. */
function bare(hop: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}

/** Returns the /48 of a key that is an IPv6 /64; null for any other. */
function networkOf(key: string): string | null {
  return key.endsWith('::/64') ? `${key.split(':', 3).join(':')}::/48` : null;
}

/**
 * Returns the key for counting an address: the /64 for IPv6, since each user has one; IPv4-mapped IPv6 is
 * IPv4.
 */
export function addressKey(address: string): string {
  // Most addresses are IPv4, whose key is the address itself. The parser takes 0.7 µs.
  if (isIP(address) === 4) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const prefix = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}
