import ipaddr from 'ipaddr.js';
import { keyedHashIn } from '../../../platform/http/daily-limit/keyed-hash.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import { insertNetwork, networkByHash } from './networks-store.ts';

/** Addresses of these kinds are those of a proxy that nobody trusts yet, or of this machine. */
const OWN = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'];

/**
 * Returns the /24 or /48 of a client address, as the rate limits see it; null for one of this machine or of a
 * private network: behind a proxy that is not in `trusted_proxies`, all clients have it.
 */
export function networkOfCaller(caller: string): string | null {
  const address = caller.replace(/\/64$/, '');
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  if (OWN.includes(parsed.range())) return null;
  return parsed instanceof ipaddr.IPv4
    ? `${parsed.octets.slice(0, 3).join('.')}.0/24`
    : `${parsed.parts
        .slice(0, 3)
        .map((group) => group.toString(16))
        .join(':')}::/48`;
}

/** Returns the number of a network, which is stored if it is new. */
export async function networkSeqIn(tx: Transaction, network: string): Promise<number> {
  const networkHash = await keyedHashIn(tx, network);
  return (await networkByHash(tx, networkHash)) ?? (await insertNetwork(tx, { networkHash })).networkSeq;
}
