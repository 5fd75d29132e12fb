import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Store } from '../../platform/store/store.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { commonErrors } from '../http/errors.ts';
import { actTime } from '../log/clock/dates.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { CredentialCache } from './cache.ts';
import { statusListUrl, urnOf } from './document.ts';
import { findCredentialIn, revocationOf } from './revocation.ts';
import { updateRevoked } from './store.ts';

export type RevokeContext = {
  store: Store;
  clockWatch: ClockWatch;
  log: TrustLog;
  credentialCache: CredentialCache;
  url: string | null;
};

/**
 * Revokes one credential. The next one of the same subject is not affected.
 * @param id the UUID of the credential, with or without `urn:uuid:`
 * @throws ApiError forbidden without an admin key; not_found; invalid_state if it is already revoked
 */
export async function revokeCredential(
  trust: RevokeContext,
  principal: OperatorActor,
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
      const credential = await findCredentialIn(tx, id);
      if (credential === null) {
        throw commonErrors.not_found({
          message: 'No credential has this id. Check it; credentials are deleted 30 days after their end.',
        });
      }
      const revocation = revocationOf(credential);
      if (revocation !== null) {
        throw commonErrors.invalid_state({
          message: `The credential was already revoked at ${revocation.at}.`,
        });
      }
      const time = actTime(trust, Date.parse(credential.validFrom));
      const revoked_at = timestampOf(time);
      await updateRevoked(tx, {
        credentialSeq: credential.credentialSeq,
        revokedAt: revoked_at,
        revocationReason: reason,
      });
      trust.credentialCache.credentialRevokedIn(tx, credential);
      return {
        id: urnOf(credential.credentialId),
        agent_commitment_hash: credential.commitment,
        cluster_id: credential.clusterId,
        status: 'revoked' as const,
        revoked_at,
        reason,
        status_list_credential: statusListUrl(trust, credential.listSeq),
        status_list_index: String(credential.listIndex),
      };
    }),
  );
}
