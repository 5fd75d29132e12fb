import { getTableColumns } from 'drizzle-orm';
import { agent } from '../../../db/trust/agents.ts';
import { credential } from '../../../db/trust/credentials.ts';
import { datacenterCluster } from '../../../db/trust/datacenter.ts';
import { evidence } from '../../../db/trust/evidence.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receiptLeaf } from '../../../db/trust/receipts.ts';
import { agentReceipt } from '../../../db/trust/reputation.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../platform/store/transaction.ts';

const sql = sqlOf({ agentReceipt, credential, evidence, receiptLeaf });

/** A checkpoint that a credential cites, with the names of the API. */
const cited = (log: 'evidence' | 'receipts') => ({
  origin: sql.text`${sql.verbatim(log)}_log.origin`,
  tree_size: sql.number`${sql.verbatim(log)}_checkpoint.tree_size`,
  // As hexadecimal, like a digest.
  root_hash: sql.like(credential.contentDigest)`${sql.verbatim(log)}_checkpoint.root_hash`,
});
const WITH_RECEIPTS = sql.part`
  JOIN checkpoint receipts_checkpoint ON receipts_checkpoint.checkpoint_seq = receipts_checkpoint_seq
  JOIN log receipts_log ON receipts_log.log_seq = receipts_checkpoint.log_seq`;

/** The newest item of evidence of an agent has the largest leaf: positions and leaves grow together. */
const newestEvidence = sql.value(evidence.evidenceSeq)`
  WHERE agent_seq = ${'agentSeq'} ORDER BY position DESC LIMIT 1`;
const newestReceiptLeaf = sql.value(orNull(sql.number`max(leaf_seq)`))`FROM receipt_leaf`;
/**
 * A receipt of an agent that was logged after a leaf. Reads only the leaves that no checkpoint covers yet.
 */
const hasLaterReceipt = sql.exists(receiptLeaf)`CROSS JOIN agent_receipt
  WHERE leaf_seq > ${'after:leafSeq'} AND agent_receipt.receipt_seq = receipt_leaf.receipt_seq
    AND +agent_seq = ${'agentSeq'} LIMIT 1`;
const newestNumber = sql.value(orNull(sql.number`max(credential_seq)`))`FROM credential`;

/** A credential's row. */
export type CredentialRow = typeof credential.$inferSelect;

/** A new credential. */
export type NewCredential = Omit<CredentialRow, 'credentialSeq' | 'revokedAt' | 'revocationReason'>;

/** A checkpoint that a credential cites. */
export interface CitedCheckpoint {
  origin: string;
  tree_size: number;
  /** 64 hexadecimal characters. */
  root_hash: string;
}

/** A credential with the checkpoints that it cites. */
export interface IssuedCredential {
  row: CredentialRow;
  evidence: CitedCheckpoint;
  receipts: CitedCheckpoint;
}

/** Stores a credential, unless the entry of the status list is taken. @returns how many were stored */
export const insertCredential = sql.insert(credential, {
  without: ['credentialSeq', 'revokedAt', 'revocationReason'],
  end: 'ON CONFLICT (list_seq, list_index) DO NOTHING',
});

/** Returns the newest credential of an agent, even a revoked one; null for none. */
export const newestCredentialOf = sql.joined({
  row: credential,
  evidence: cited('evidence'),
  receipts: cited('receipts'),
}).row`
  FROM credential
  JOIN checkpoint evidence_checkpoint ON evidence_checkpoint.checkpoint_seq = evidence_checkpoint_seq
  JOIN log evidence_log ON evidence_log.log_seq = evidence_checkpoint.log_seq ${WITH_RECEIPTS}
  WHERE agent_seq = ${'agentSeq'} ORDER BY credential_seq DESC LIMIT 1`;

/** Returns the newest credential of a cluster, even a revoked one; null for none. */
export const newestClusterCredential = sql.joined({ row: credential, receipts: cited('receipts') }).row`
  FROM credential ${WITH_RECEIPTS}
  WHERE cluster_seq = ${'clusterSeq'} ORDER BY credential_seq DESC LIMIT 1`;

/**
 * A credential with its subject. The agent's members are null for a cluster, and the cluster's for an agent.
 */
export interface FoundCredential extends CredentialRow {
  /** The subject commitment of the agent. */
  commitment: string | null;
  /** The agent's key: 64 hexadecimal characters. */
  publicKey: string | null;
  agentState: (typeof agent.$inferSelect)['state'] | null;
  agentRevokedAt: string | null;
  clusterId: string | null;
  /** The account status of the operator that owns the cluster. */
  ownerStatus: (typeof operator.$inferSelect)['accountStatus'] | null;
}

/** Returns a credential by its UUID (32 hexadecimal characters); null if it never existed or was deleted. */
export const credentialById = sql.joined({
  ...getTableColumns(credential),
  commitment: orNull(agent.subjectCommitment),
  publicKey: orNull(agent.publicKey),
  agentState: orNull(agent.state),
  agentRevokedAt: orNull(agent.revokedAt),
  clusterId: orNull(datacenterCluster.clusterId),
  ownerStatus: orNull(operator.accountStatus),
}).row`
  FROM credential LEFT JOIN agent USING (agent_seq) LEFT JOIN datacenter_cluster USING (cluster_seq)
  LEFT JOIN operator ON operator.operator_seq = datacenter_cluster.operator_seq
  WHERE credential_id = ${'credentialId'}`;

/** Revokes a credential. @returns the number of changed rows: 0 if it was already revoked */
export const updateRevoked = sql.update(credential, ['revokedAt', 'revocationReason'])`
  WHERE credential_seq = ${'credentialSeq'} AND revoked_at IS NULL`;

/**
 * How many uncovered leaves are searched for those of an agent. More wait only while nothing is published.
 */
const MOST_UNCOVERED = 10_000;

/** The sizes of the trees of both logs. */
export interface TreeSizes {
  evidence: number;
  receipts: number;
}

/**
 * Returns which sizes trees must reach to contain every leaf of an agent's evidence and of its receipts.
 * @param sizes what the trees have. @returns null if they contain all of them
 */
export function sizesNeeded(
  snapshot: Snapshot,
  agentSeq: number,
  sizes: TreeSizes,
): Promise<TreeSizes | null> {
  return runQuery(snapshot, (connection) => {
    // The leaf with index 0 has the number 1, so a tree of n leaves contains the leaves up to number n.
    const evidenceLeaf = newestEvidence.on(connection, agentSeq) ?? 0;
    const receiptLeaf = newestReceiptLeaf.on(connection) ?? 0;
    const uncovered = receiptLeaf - sizes.receipts;
    const hasLater =
      uncovered > MOST_UNCOVERED ||
      (uncovered > 0 && hasLaterReceipt.on(connection, { after: sizes.receipts, agentSeq }));
    if (evidenceLeaf <= sizes.evidence && !hasLater) return null;
    return { evidence: evidenceLeaf, receipts: hasLater ? receiptLeaf : 0 };
  });
}

/** Returns the number of the newest credential; 0 if there is none. */
export async function lastCredential(snapshot: Snapshot): Promise<number> {
  return (await newestNumber(snapshot)) ?? 0;
}

/** Returns the credentials with numbers above `after` up to `reach`, in ascending order. */
export const credentialsBetween = sql.rows(credential)`
  WHERE credential_seq > ${'after:credentialSeq'} AND credential_seq <= ${'reach:credentialSeq'}
  ORDER BY credential_seq`;

/** Deletes up to `limit` credentials that ended by a time and were not revoked. @returns how many */
export const deleteCredentialsUntil = sql.run`
  DELETE FROM credential WHERE credential_seq IN (
    SELECT credential_seq FROM credential WHERE revoked_at IS NULL AND valid_until <= ${'until:validUntil'}
    LIMIT ${'limit'}
  )`;
