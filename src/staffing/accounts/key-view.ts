import { keyPrefix } from './keys/key-format.ts';
import type { KeyRow } from './store.ts';

/** Returns the owner's view of a key, without the key itself. */
export function keyView({ keyId, tier, scopes, last4, createdAt, revokedAt }: KeyRow) {
  return {
    id: keyId,
    tier,
    prefix: keyPrefix(tier),
    last4,
    scopes,
    created_at: createdAt,
    revoked_at: revokedAt,
  };
}
