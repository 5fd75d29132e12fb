import { isIP } from 'node:net';
import { hexToBytes } from '../../../../proof/encoding/hex.ts';
import { didKey } from '../../../../proof/keys/did-key.ts';
import type { Signer } from './signer.ts';

/**
 * Returns the did:web of the service (W3C CCG did:web): of the public https host, with `%3A` before a port.
 * Null if the service is known by an IP address or by http, which clients could not resolve safely. Also null
 * if its URL has a path: the DID document of the host is then somebody else's.
 * @param url the URL of the service; null in a command
 */
export function webDidOf(url: string | null): string | null {
  const { protocol, hostname, host, pathname } = new URL(url ?? 'http://localhost');
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && hostname !== 'localhost';
  return protocol === 'https:' && isName && pathname === '/' ? `did:web:${host.replace(':', '%3A')}` : null;
}

/**
 * Returns the issuer of statements: the did:web of the service, or did:key of the active credentials key if
 * it has none.
 */
export function issuerDid({ url, signer }: { url: string | null; signer: Signer }): string {
  return webDidOf(url) ?? didKey(hexToBytes(signer.activeKey('credentials').publicKey));
}
