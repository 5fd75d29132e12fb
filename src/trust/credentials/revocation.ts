import type { Snapshot } from '../../platform/store/transaction.ts';
import { credentialById, type FoundCredential } from './store.ts';

const ID = /^(?:urn:uuid:)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

/** Returns a credential by its UUID, with or without `urn:uuid:`; null if there is none. */
export async function findCredentialIn(snapshot: Snapshot, id: string): Promise<FoundCredential | null> {
  const [, uuid] = ID.exec(id) ?? [];
  return uuid === undefined ? null : credentialById(snapshot, uuid.replaceAll('-', '').toLowerCase());
}

/** Returns when a credential or its agent was revoked (RFC 3339), and why; null if neither was. */
export function revocationOf(credential: FoundCredential): { at: string; reason: string | null } | null {
  const { revokedAt, revocationReason, agentState, agentRevokedAt, validFrom } = credential;
  if (revokedAt !== null) return { at: revokedAt, reason: revocationReason };
  if (agentState !== 'REVOKED') return null;
  return { at: agentRevokedAt ?? validFrom, reason: 'The agent was revoked.' };
}

/**
 * Returns whether a credential counts as revoked: it is, or its agent is, or the account of the operator that
 * owns its cluster is not active. Only the last of these states can end.
 */
export function countsAsRevoked(credential: FoundCredential): boolean {
  const { ownerStatus } = credential;
  return revocationOf(credential) !== null || (ownerStatus !== null && ownerStatus !== 'ACTIVE');
}
