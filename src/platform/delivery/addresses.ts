import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What is handed out on the internet so far (RFC 4291 section 2.4, IANA's IPv6 address space). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** The translators' own prefix: what lies in it is an IPv4 address, by way of a NAT64 (RFC 6052 section 2.1). */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Public by its number, but answered by the host of a virtual machine: Azure's wire server. */
const METADATA = ['168.63.129.16'];

/**
 * Whether an address, as a resolver or a URL gives it, is one of the public internet: not private, loopback, link-local,
 * shared (RFC 6598), multicast, unspecified, for documentation or benchmarks, reserved (IANA's special-purpose registries),
 * or a cloud's metadata service. IPv6 addresses that stand for an IPv4 address (mapped, NAT64) are judged by that one; the
 * tunnels 6to4 and Teredo, which nobody serves from any more, are refused. So is text that is no address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return isPublicIPv4(ipaddr.IPv4.parse(address));
  // A zone (fe80::1%eth0) names an interface of this machine.
  return family === 6 && !address.includes('%') && isPublicIPv6(ipaddr.IPv6.parse(inHexadecimal(address)));
}

/** The library takes `::1.2.3.4` for `::ffff:1.2.3.4`; as a URL's host it is written without dots. */
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

/** Whether an address means this machine alone. Text that is no address does not. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Returns whether a host, by name or address, means this machine alone; an IPv6 address may be in brackets, as in a URL. */
export function isThisMachine(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return isLoopback(bare) || bare === 'localhost' || bare.endsWith('.localhost');
}
