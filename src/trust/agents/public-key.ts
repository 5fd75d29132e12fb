import { hexToBytes } from '../../proof/encoding/hex.ts';
import { isStrictPublicKey } from '../../proof/keys/ed25519.ts';
import { commonErrors } from '../http/errors.ts';

/**
 * Checks that exactly one private key belongs to a public key: a canonical point on the curve, not of small
 * or mixed order. Takes 0.6 ms in pure JavaScript.
 * @throws ApiError validation_error
 */
export async function requirePublicKey(publicKey: string): Promise<void> {
  const bytes = hexToBytes(publicKey);
  const { isPrimeOrderPoint } = await import('../../proof/noble.ts');
  if (isStrictPublicKey(bytes) && isPrimeOrderPoint(bytes)) return;
  throw commonErrors.validation_error({
    issues: {
      public_key: [
        'must be an Ed25519 public key: a canonical point of the prime-order group, not of small or mixed order',
      ],
    },
  });
}
