import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import { digest } from '../../proof/encoding/digest.ts';
import type { NewCredential } from './store.ts';

/**
 * Returns the digest of the columns of a credential that never change: all but its number, its revocation and
 * null columns. No document is stored, so only this shows that a row was changed by hand.
 */
export function rowDigest({
  credentialId,
  type,
  agentSeq,
  clusterSeq,
  listSeq,
  listIndex,
  validFrom,
  validUntil,
  contentDigest,
  evidenceCheckpointSeq,
  receiptsCheckpointSeq,
}: Omit<NewCredential, 'rowDigest'>): string {
  return digest(nativePrimitives, {
    credentialId,
    type,
    ...(agentSeq === null ? {} : { agentSeq }),
    ...(clusterSeq === null ? {} : { clusterSeq }),
    listSeq,
    listIndex,
    validFrom,
    validUntil,
    contentDigest,
    ...(evidenceCheckpointSeq === null ? {} : { evidenceCheckpointSeq }),
    receiptsCheckpointSeq,
  });
}
