import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';

/** The lists that say which credentials are revoked. `list_seq` is the number of a list. */
export const statusList = sqliteTable('status_list', {
  listSeq: integer('list_seq').primaryKey(),
  /** The key that signs the list and its credentials. */
  keySeq: integer('key_seq').notNull(),
  /** The credentials that were ever in it. */
  issued: integer('issued').notNull(),
  /** The end of the last of them, RFC 3339. */
  validUntil: text('valid_until').notNull(),
  /** How many of them were revoked. Triggers count them, and the deleted rows. */
  revoked: integer('revoked').notNull(),
  deleted: integer('deleted').notNull(),
});

export const credential = sqliteTable(
  'credential',
  {
    credentialSeq: integer('credential_seq').primaryKey(),
    /** A UUID as 32 hexadecimal characters. */
    credentialId: idBlob('')('credential_id').notNull(),
    type: text('type').notNull(),
    /** It is about an agent or about a cluster. */
    agentSeq: integer('agent_seq'),
    clusterSeq: integer('cluster_seq'),
    listSeq: integer('list_seq').notNull(),
    listIndex: integer('list_index').notNull(),
    validFrom: text('valid_from').notNull(),
    validUntil: text('valid_until').notNull(),
    contentDigest: hexBlob('content_digest').notNull(),
    /** Null for one about a cluster, which cites only the log of receipts. */
    evidenceCheckpointSeq: integer('evidence_checkpoint_seq'),
    receiptsCheckpointSeq: integer('receipts_checkpoint_seq').notNull(),
    /** The digest of the columns above, except the first and those that are null. */
    rowDigest: hexBlob('row_digest').notNull(),
    revokedAt: text('revoked_at'),
    revocationReason: text('revocation_reason'),
  },
  (table) => [uniqueIndex('credential_status').on(table.listSeq, table.listIndex)],
);
