import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Store } from '../../platform/store/store.ts';
import { timestamp } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { commonErrors } from '../http/errors.ts';
import { actTime } from '../log/clock/dates.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { Principal } from '../operators/auth/principals.ts';
import type { CredentialCache } from './cache.ts';
import { statusListUrl, urnOf } from './document.ts';
import { findCredentialIn, revocationOf } from './revocation.ts';
import { updateRevoked } from './store.ts';

/** The parts of the service that revoking a credential uses. */
export type RevokeContext = {
  store: Store;
  clockWatch: ClockWatch;
  log: TrustLog;
  credentialCache: CredentialCache;
  url: string | null;
};

/**
 * Revokes one credential. The next one of the same subject is not affected.
 * @param id the UUID of the credential, also with `urn:uuid:`
 * @throws ApiError forbidden without an admin key; not_found; invalid_state for a credential that is already
 * revoked
 */
export async function revokeCredential(
  trust: RevokeContext,
  principal: Principal,
  id: string,
  reason: string | null,
  once: Once,
) {
  if (!principal.admin) {
    throw commonErrors.forbidden({
      message: 'Only an admin key can revoke a credential. Use an admin key.',
    });
  }
  return trust.store.write(principal.authority.neverRefused, (tx) =>
    once(tx, async () => {
      const found = await findCredentialIn(tx, id);
      if (found === undefined) {
        throw commonErrors.not_found({
          message: 'No credential has this id. Check it; credentials are deleted 30 days after their end.',
        });
      }
      const revocation = revocationOf(found);
      if (revocation !== null) {
        throw commonErrors.invalid_state({
          message: `The credential was already revoked at ${revocation.at}.`,
        });
      }
      const time = actTime(trust, Date.parse(found.validFrom));
      const revoked_at = timestamp({ now: () => time });
      await updateRevoked(tx, found.credentialSeq, revoked_at, reason);
      trust.credentialCache.credentialRevokedIn(tx, found);
      return {
        id: urnOf(found.credentialId),
        agent_commitment_hash: found.commitment,
        cluster_id: found.clusterId,
        status: 'revoked' as const,
        revoked_at,
        reason,
        status_list_credential: statusListUrl(trust, found.listSeq),
        status_list_index: String(found.listIndex),
      };
    }),
  );
}
