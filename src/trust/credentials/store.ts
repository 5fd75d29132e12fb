import { and, desc, eq, getTableColumns, gt, lte, max, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../db/trust/agents.ts';
import { credential } from '../../../db/trust/credentials.ts';
import { datacenterCluster } from '../../../db/trust/datacenter.ts';
import { evidence } from '../../../db/trust/evidence.ts';
import { checkpoint, log } from '../../../db/trust/log.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receiptLeaf } from '../../../db/trust/receipts.ts';
import { agentReceipt } from '../../../db/trust/reputation.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;

const evidenceCheckpoint = alias(checkpoint, 'evidence_checkpoint');
const receiptsCheckpoint = alias(checkpoint, 'receipts_checkpoint');
const evidenceLog = alias(log, 'evidence_log');
const receiptsLog = alias(log, 'receipts_log');

const query = statements((orm) => ({
  insert: () =>
    orm
      .insert(credential)
      .values(everyColumn(credential, ['credentialSeq', 'revokedAt', 'revocationReason']))
      .onConflictDoNothing({ target: [credential.listSeq, credential.listIndex] })
      .returning({ credentialSeq: credential.credentialSeq })
      .prepare(),
  /** The newest credential of an agent, with the checkpoints that it cites. */
  newest: () =>
    orm
      .select({
        ...getTableColumns(credential),
        evidenceOrigin: evidenceLog.origin,
        evidenceSize: evidenceCheckpoint.treeSize,
        evidenceRoot: evidenceCheckpoint.rootHash,
        receiptsOrigin: receiptsLog.origin,
        receiptsSize: receiptsCheckpoint.treeSize,
        receiptsRoot: receiptsCheckpoint.rootHash,
      })
      .from(credential)
      .innerJoin(evidenceCheckpoint, eq(evidenceCheckpoint.checkpointSeq, credential.evidenceCheckpointSeq))
      .innerJoin(evidenceLog, eq(evidenceLog.logSeq, evidenceCheckpoint.logSeq))
      .innerJoin(receiptsCheckpoint, eq(receiptsCheckpoint.checkpointSeq, credential.receiptsCheckpointSeq))
      .innerJoin(receiptsLog, eq(receiptsLog.logSeq, receiptsCheckpoint.logSeq))
      // Drizzle would bind LIMIT as a parameter, and SQLite would prepare the statement again each time.
      .where(
        sql`${eq(credential.agentSeq, bound(credential.agentSeq, 'agentSeq'))}
        ORDER BY ${desc(credential.credentialSeq)} LIMIT 1`,
      )
      .prepare(),
  /** The newest credential of a cluster, with the checkpoint that it cites. */
  newestOfCluster: () =>
    orm
      .select({
        ...getTableColumns(credential),
        receiptsOrigin: receiptsLog.origin,
        receiptsSize: receiptsCheckpoint.treeSize,
        receiptsRoot: receiptsCheckpoint.rootHash,
      })
      .from(credential)
      .innerJoin(receiptsCheckpoint, eq(receiptsCheckpoint.checkpointSeq, credential.receiptsCheckpointSeq))
      .innerJoin(receiptsLog, eq(receiptsLog.logSeq, receiptsCheckpoint.logSeq))
      .where(
        sql`${eq(credential.clusterSeq, bound(credential.clusterSeq, 'clusterSeq'))}
        ORDER BY ${desc(credential.credentialSeq)} LIMIT 1`,
      )
      .prepare(),
  byId: () =>
    orm
      .select({
        ...getTableColumns(credential),
        commitment: agent.subjectCommitment,
        publicKey: agent.publicKey,
        agentState: agent.state,
        agentRevokedAt: agent.revokedAt,
        clusterId: datacenterCluster.clusterId,
        ownerStatus: operator.accountStatus,
      })
      .from(credential)
      .leftJoin(agent, eq(agent.agentSeq, credential.agentSeq))
      .leftJoin(datacenterCluster, eq(datacenterCluster.clusterSeq, credential.clusterSeq))
      .leftJoin(operator, eq(operator.operatorSeq, datacenterCluster.operatorSeq))
      .where(eq(credential.credentialId, bound(credential.credentialId, 'credentialId')))
      .prepare(),
  revoke: () =>
    orm
      .update(credential)
      .set({ revokedAt: sql`${$('revokedAt')}`, revocationReason: sql`${$('reason')}` })
      .where(
        and(
          eq(credential.credentialSeq, bound(credential.credentialSeq, 'credentialSeq')),
          sql`${credential.revokedAt} IS NULL`,
        ),
      )
      .returning({ credentialSeq: credential.credentialSeq })
      .prepare(),
  /** The newest item of evidence of an agent has the largest leaf: positions and leaves grow together. */
  newestEvidence: () =>
    orm
      .select({ leaf: evidence.evidenceSeq })
      .from(evidence)
      .where(
        sql`${eq(evidence.agentSeq, bound(evidence.agentSeq, 'agentSeq'))} ORDER BY ${desc(evidence.position)} LIMIT 1`,
      )
      .prepare(),
  newestReceiptLeaf: () =>
    orm
      .select({ leaf: max(receiptLeaf.leafSeq) })
      .from(receiptLeaf)
      .prepare(),
  /**
   * A receipt of an agent that was logged after a leaf. Reads only the leaves that no checkpoint covers yet.
   */
  laterReceipt: () =>
    orm
      .select({ leaf: receiptLeaf.leafSeq })
      .from(receiptLeaf)
      .crossJoin(agentReceipt)
      .where(
        sql`${and(
          gt(receiptLeaf.leafSeq, bound(receiptLeaf.leafSeq, 'after')),
          eq(agentReceipt.receiptSeq, receiptLeaf.receiptSeq),
          eq(sql`+${agentReceipt.agentSeq}`, bound(agentReceipt.agentSeq, 'agentSeq')),
        )} LIMIT 1`,
      )
      .prepare(),
  last: () =>
    orm
      .select({ credentialSeq: max(credential.credentialSeq) })
      .from(credential)
      .prepare(),
  range: () =>
    orm
      .select()
      .from(credential)
      .where(
        and(
          gt(credential.credentialSeq, bound(credential.credentialSeq, 'after')),
          lte(credential.credentialSeq, bound(credential.credentialSeq, 'reach')),
        ),
      )
      .orderBy(credential.credentialSeq)
      .prepare(),
  delete: () =>
    orm
      .delete(credential)
      .where(
        sql`${credential.credentialSeq} IN (SELECT ${credential.credentialSeq} FROM ${credential}
        WHERE ${credential.revokedAt} IS NULL AND ${credential.validUntil} <= ${bound(credential.validUntil, 'until')}
        LIMIT +${$('limit')})`,
      )
      .returning({ credentialSeq: credential.credentialSeq })
      .prepare(),
}));

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

/** Stores a credential. @returns false if the entry of the status list is taken */
export function insertCredential(tx: Transaction, row: NewCredential): Promise<boolean> {
  return query(tx, (sql) => sql.insert.get(row) !== undefined);
}

/** Returns the newest credential of an agent, even a revoked one; null for none. */
export function newestCredentialOf(snapshot: Snapshot, agentSeq: number): Promise<IssuedCredential | null> {
  return query(snapshot, (sql) => {
    const newest = sql.newest.get({ agentSeq });
    if (newest === undefined) return null;
    const { evidenceOrigin, evidenceSize, evidenceRoot, receiptsOrigin, receiptsSize, receiptsRoot, ...row } =
      newest;
    return {
      row,
      evidence: { origin: evidenceOrigin, tree_size: evidenceSize, root_hash: evidenceRoot.toHex() },
      receipts: { origin: receiptsOrigin, tree_size: receiptsSize, root_hash: receiptsRoot.toHex() },
    };
  });
}

/** A credential of a cluster with the checkpoint that it cites. */
export type ClusterCredential = Pick<IssuedCredential, 'row' | 'receipts'>;

/** Returns the newest credential of a cluster, even a revoked one; null for none. */
export function newestClusterCredential(
  snapshot: Snapshot,
  clusterSeq: number,
): Promise<ClusterCredential | null> {
  return query(snapshot, (sql) => {
    const newest = sql.newestOfCluster.get({ clusterSeq });
    if (newest === undefined) return null;
    const { receiptsOrigin, receiptsSize, receiptsRoot, ...row } = newest;
    return {
      row,
      receipts: { origin: receiptsOrigin, tree_size: receiptsSize, root_hash: receiptsRoot.toHex() },
    };
  });
}

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
export function credentialById(snapshot: Snapshot, credentialId: string): Promise<FoundCredential | null> {
  return query(snapshot, (sql) => sql.byId.get({ credentialId }) ?? null);
}

/** Revokes a credential. @returns false if it was already revoked */
export function updateRevoked(
  tx: Transaction,
  credentialSeq: number,
  revokedAt: string,
  reason: string | null,
): Promise<boolean> {
  return query(tx, (sql) => sql.revoke.get({ credentialSeq, revokedAt, reason }) !== undefined);
}

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
  return query(snapshot, (sql) => {
    // The leaf with index 0 has the number 1, so a tree of n leaves contains the leaves up to number n.
    const evidenceLeaf = sql.newestEvidence.get({ agentSeq })?.leaf ?? 0;
    const receiptLeaf = sql.newestReceiptLeaf.get()?.leaf ?? 0;
    const uncovered = receiptLeaf - sizes.receipts;
    const hasLater =
      uncovered > MOST_UNCOVERED ||
      (uncovered > 0 && sql.laterReceipt.get({ after: sizes.receipts, agentSeq }) !== undefined);
    if (evidenceLeaf <= sizes.evidence && !hasLater) return null;
    return { evidence: evidenceLeaf, receipts: hasLater ? receiptLeaf : 0 };
  });
}

/** Returns the number of the newest credential; 0 if there is none. */
export function lastCredential(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.last.get()?.credentialSeq ?? 0);
}

/** Returns the credentials with numbers above `after` up to `reach`, in ascending order. */
export function credentialsBetween(
  snapshot: Snapshot,
  after: number,
  reach: number,
): Promise<CredentialRow[]> {
  return query(snapshot, (sql) => sql.range.all({ after, reach }));
}

/** Deletes up to `limit` credentials that ended by a time and were not revoked. @returns how many */
export function deleteCredentialsUntil(tx: Transaction, until: string, limit: number): Promise<number> {
  return query(tx, (sql) => sql.delete.all({ until, limit }).length);
}
