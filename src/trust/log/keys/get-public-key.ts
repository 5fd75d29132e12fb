import { hexToBytes } from '../../../proof/encoding/hex.ts';
import { publicKeyJwk, publicKeyMultibase } from '../../../proof/keys/kid.ts';
import type { TrustLog } from '../lifecycle/open.ts';
import { audienceOf } from './signing/audience.ts';
import type { Signer } from './signing/signer.ts';
import type { KeyPurpose } from './store.ts';

/** Returns the public key of a purpose with its rotation, as `GET /api/v1/public-key` returns it. */
export function publicKey({ signer, log }: { signer: Signer; log: TrustLog }, purpose: KeyPurpose) {
  const rows = signer.all().filter((row) => row.purpose === purpose && row.algorithm === 'Ed25519');
  const active = rows.find(({ status }) => status === 'active');
  if (active === undefined) throw new Error(`no active key for ${purpose}`);
  const next = rows.find(({ status }) => status === 'next');
  const bytes = hexToBytes(active.publicKey);
  return {
    kid: active.kid,
    algorithm: 'Ed25519' as const,
    public_key: active.publicKey,
    public_key_multibase: publicKeyMultibase(bytes),
    public_key_jwk: publicKeyJwk(bytes),
    purpose,
    audience: audienceOf({ signer, log }),
    valid_from: active.validFrom,
    rotation: {
      next_kid: next?.kid ?? null,
      next_valid_from: next?.validFrom ?? null,
      previous: rows
        .filter(({ status }) => status === 'retired')
        .map(({ kid, publicKey, validFrom, validUntil }) => ({
          kid,
          public_key: publicKey,
          valid_from: validFrom,
          valid_until: validUntil,
        })),
    },
  };
}
