import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';
import { AGORA_ACTIONS } from '../../src/proof/agora/negotiation.ts';

/** One row for each step of a negotiation, in the order of the ledger. Times are milliseconds since 1970. */
export const agoraEntry = sqliteTable('agora_entry', {
  entrySeq: integer('entry_seq').primaryKey(),
  proposalId: idBlob('agora_')('proposal_id').notNull(),
  step: integer('step').notNull(),
  action: text('action', { enum: AGORA_ACTIONS }).notNull(),
  fromSeq: integer('from_seq').notNull(),
  toSeq: integer('to_seq').notNull(),
  /** Canonical JSON. */
  terms: text('terms'),
  audience: text('audience').notNull(),
  nonce: text('nonce').notNull(),
  expiresAt: text('expires_at').notNull(),
  signature: hexBlob('signature').notNull(),
  entryHash: hexBlob('entry_hash').notNull(),
  createdAt: integer('created_at').notNull(),
});
