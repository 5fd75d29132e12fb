import { isIP } from 'node:net';
import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { didKey } from '../../../proof/keys/did-key.ts';
import type { TrustContext } from '../../context.ts';

/**
 * Who signs what this service vouches for: did:web of its public https host (W3C CCG did:web); while it is known under an
 * address or by http, which nobody could resolve safely, did:key of the active credentials key.
 */
export function issuerDid({ url, signer }: Pick<TrustContext, 'url' | 'signer'>): string {
  const { protocol, hostname, host } = new URL(url ?? 'http://localhost');
  const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && hostname !== 'localhost';
  if (protocol === 'https:' && isName) return `did:web:${host.replace(':', '%3A')}`;
  return didKey(hexToBytes(signer.activeKey('credentials').publicKey));
}
