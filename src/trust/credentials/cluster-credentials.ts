import type { Ids } from '../../platform/ids.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { SUSTAINABILITY_TYPE } from '../../proof/credential/contexts.ts';
import type { Signer, SigningKey } from '../log/keys/signing/signer.ts';
import { insertCredentialIn, isReusable } from './insertion.ts';
import { type CitedCheckpoint, type NewCredential, newestClusterCredential } from './store.ts';

/** The content of a credential about a cluster at a time, and the key that signs it. */
export interface RequestedClusterContent {
  clusterSeq: number;
  key: SigningKey;
  /** Milliseconds since 1970. */
  now: number;
  /** The digest of all that the credential says and its row does not. */
  contentDigest: string;
}

/** A stored credential about a cluster, and the checkpoint of receipts that it cites. */
export interface StoredClusterCredential {
  row: NewCredential;
  receipts: CitedCheckpoint;
}

/**
 * Returns the newest credential of a cluster if it has the requested content and may be reused; else null.
 */
export async function reusableClusterCredentialIn(
  snapshot: Snapshot,
  { clusterSeq, contentDigest, now }: RequestedClusterContent,
): Promise<StoredClusterCredential | null> {
  const newest = await newestClusterCredential(snapshot, clusterSeq);
  return newest !== null && isReusable(newest.row, contentDigest, now) ? newest : null;
}

/**
 * Stores a credential about a cluster.
 * @param checkpoint a checkpoint of the log of receipts, which it cites
 */
export async function insertClusterCredentialIn(
  tx: Transaction,
  trust: { ids: Ids; signer: Signer },
  { clusterSeq, key, now, contentDigest }: RequestedClusterContent,
  checkpoint: { checkpointSeq: number; response: CitedCheckpoint },
): Promise<StoredClusterCredential> {
  const row = await insertCredentialIn(tx, trust, key, now, {
    type: SUSTAINABILITY_TYPE,
    agentSeq: null,
    clusterSeq,
    contentDigest,
    evidenceCheckpointSeq: null,
    receiptsCheckpointSeq: checkpoint.checkpointSeq,
  });
  return { row, receipts: checkpoint.response };
}
