import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { actTime } from '../clock/dates.ts';
import { commonErrors } from '../http/errors.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { Principal } from '../operators/auth/principals.ts';
import type { CredentialCache } from './cache.ts';
import { statusListUrl, urnOf } from './document.ts';
import { credentialById, type FoundCredential, updateRevoked } from './store.ts';

/** The parts of the service that revoking a credential uses. */
export type RevokeContext = {
  store: Store;
  clockWatch: ClockWatch;
  log: TrustLog;
  credentialCache: CredentialCache;
  url: string | null;
};

const ID = /^(?:urn:uuid:)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/**
 * Revokes one credential. The next one of the same subject is not affected.
 * @param id the UUID of the credential, also with `urn:uuid:`
 * @throws ApiError forbidden without an admin key; not_found; invalid_state for a credential that is already revoked
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

/** Returns a credential by its UUID, also with `urn:uuid:`; undefined for any other text, and for one that does not exist. */
export async function findCredentialIn(snapshot: Snapshot, id: string): Promise<FoundCredential | undefined> {
  const [, uuid] = ID.exec(id) ?? [];
  return uuid === undefined ? undefined : credentialById(snapshot, uuid.replaceAll('-', '').toLowerCase());
}

/** Returns when a credential was revoked (RFC 3339), itself or with its agent, and why; null for one that is not. */
function revocationOf(found: FoundCredential): { at: string; reason: string | null } | null {
  const { revokedAt, revocationReason, agentState, agentRevokedAt, validFrom } = found;
  if (revokedAt !== null) return { at: revokedAt, reason: revocationReason };
  if (agentState !== 'REVOKED') return null;
  return { at: agentRevokedAt ?? validFrom, reason: 'The agent was revoked.' };
}

/**
 * Returns whether a credential counts as revoked: it is, or its agent is, or the account of the operator that owns its cluster is not
 * active. Only the last can end.
 */
export function countsAsRevoked(found: FoundCredential): boolean {
  const { ownerStatus } = found;
  return revocationOf(found) !== null || (ownerStatus !== null && ownerStatus !== 'ACTIVE');
}
