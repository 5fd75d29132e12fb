import { isIP } from 'node:net';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { didKey } from '../../../proof/keys/did-key.ts';
import type { TrustContext } from '../../context.ts';

/**
 * Returns the issuer of statements: did:web of the public https host (W3C CCG did:web), or did:key of the active credentials key if the
 * service is known by an IP address or by http, which clients could not resolve safely.
 */
export function issuerDid({ url, signer }: Pick<TrustContext, 'url' | 'signer'>): string {
  const { protocol, hostname, host } = new URL(url ?? 'http://localhost');
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && hostname !== 'localhost';
  if (protocol === 'https:' && isName) return `did:web:${host.replace(':', '%3A')}`;
  return didKey(hexToBytes(signer.activeKey('credentials').publicKey));
}
