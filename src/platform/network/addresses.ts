import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The address space that IANA allocates as global unicast (RFC 4291 section 2.4, IANA's IPv6 address space).
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The well-known prefix of NAT64 (RFC 6052 section 2.1). Its last 32 bits are an IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** An address in a public range that the host of a virtual machine serves: Azure's wire server. */
const METADATA = ['168.63.129.16'];

/**
 * Returns whether an address from a resolver or a URL is public. These are not: private, loopback,
 * link-local, shared (RFC 6598), multicast, unspecified, documentation, benchmark and reserved addresses
 * (IANA's special-purpose registries), a cloud's metadata service, and text that is not an address. For an
 * IPv6 address that contains an IPv4 address (mapped, NAT64), the IPv4 address decides. The obsolete tunnels
 * 6to4 and Teredo count as not public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return isPublicIPv4(ipaddr.IPv4.parse(address));
  // A zone (fe80::1%eth0) names an interface of this machine.
  return family === 6 && !address.includes('%') && isPublicIPv6(ipaddr.IPv6.parse(inHexadecimal(address)));
}

/**
 * Writes an IPv6 address without dots, as the host of a URL has it: the library reads `::1.2.3.4` as
 * `::ffff:1.2.3.4`.
 */
function inHexadecimal(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !METADATA.includes(address.toString());
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIPv4(address.toIPv4Address());
  if (address.match(NAT64)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Returns whether an address is a loopback address; false for text that is not an address. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Returns whether a host name or address always means this machine. An IPv6 address may be in brackets, as in
 * a URL.
 */
export function isThisMachine(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return isLoopback(bare) || bare === 'localhost' || bare.endsWith('.localhost');
}
