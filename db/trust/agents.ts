import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, rawBlob } from '../../src/platform/store/columns.ts';
import { READINGS } from '../../src/proof/agent/agent-signature.ts';
import { CHALLENGE_PURPOSES } from '../../src/proof/agent/challenge.ts';
import { AGENT_STATES, PHOTO_TYPES } from './agents-enums.ts';

export const challenge = sqliteTable('challenge', {
  challengeSeq: integer('challenge_seq').primaryKey(),
  purpose: text('purpose', { enum: CHALLENGE_PURPOSES }).notNull(),
  nonce: text('nonce').notNull(),
  caller: hexBlob('caller').notNull(),
  publicKey: hexBlob('public_key').notNull(),
  subjectCommitment: hexBlob('subject_commitment'),
  context: text('context'),
  name: text('name'),
  sponsorSeq: integer('sponsor_seq'),
  powDifficulty: integer('pow_difficulty'),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at').notNull(),
  consumedAt: text('consumed_at'),
  /** The sponsor's API key that started the enrollment. Deleting the key invalidates the challenge. */
  keyHash: hexBlob('key_hash'),
});

export const agent = sqliteTable('agent', {
  agentSeq: integer('agent_seq').primaryKey(),
  subjectCommitment: hexBlob('subject_commitment').notNull(),
  publicKey: hexBlob('public_key').notNull(),
  context: text('context').notNull(),
  name: text('name'),
  passportId: idBlob('pass_')('passport_id').notNull(),
  state: text('state', { enum: AGENT_STATES }).notNull(),
  sponsorSeq: integer('sponsor_seq'),
  issuedAt: text('issued_at').notNull(),
  revokedAt: text('revoked_at'),
  revocationReason: text('revocation_reason'),
  /** Milliseconds since 1970; null unless an administrator froze the agent. */
  frozenSince: integer('frozen_since'),
  frozenReason: text('frozen_reason'),
});

/** The operators that sponsor an agent or did so. */
export const agentSponsor = sqliteTable(
  'agent_sponsor',
  {
    agentSeq: integer('agent_seq').notNull(),
    operatorSeq: integer('operator_seq').notNull(),
    /** The first time, and the last, RFC 3339; null while it sponsors the agent. */
    since: text('since').notNull(),
    until: text('until'),
  },
  (table) => [primaryKey({ columns: [table.agentSeq, table.operatorSeq] })],
);

/**
 * For how long the hires of an agent stood still, if it was ever frozen or changed its sponsor. Times are
 * milliseconds since 1970.
 */
export const agentStandstill = sqliteTable('agent_standstill', {
  agentSeq: integer('agent_seq').primaryKey(),
  /** Until the freeze began; without a freeze, added to the times of the sponsor. */
  baseMs: integer('base_ms').notNull(),
  /** When the standstill began that a freeze continued, or that continued after it. */
  since: integer('since'),
  /** After a freeze: `inactiveSince` of the sponsor for which `since` holds. */
  carriedOver: integer('carried_over'),
});

export const presentation = sqliteTable('presentation', {
  presentationSeq: integer('presentation_seq').primaryKey(),
  agentSeq: integer('agent_seq').notNull(),
  photoUrl: text('photo_url'),
  photoSha256: hexBlob('photo_sha256'),
  photoMimeType: text('photo_mime_type', { enum: PHOTO_TYPES }),
  signature: hexBlob('signature').notNull(),
  reading: text('reading', { enum: READINGS }).notNull(),
  createdAt: text('created_at').notNull(),
});

export const agentNonce = sqliteTable(
  'agent_nonce',
  {
    agentSeq: integer('agent_seq').notNull(),
    nonce: text('nonce').notNull(),
    expiresAt: text('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentSeq, table.nonce] })],
);

/** The columns of the leaves of revoked agents. Leaves of revoked receipts have others. */
export const agentRevocationLeaf = sqliteTable('revocation_leaf', {
  leafSeq: integer('leaf_seq').primaryKey(),
  leafHash: rawBlob('leaf_hash').notNull(),
  entry: text('entry'),
  agentSeq: integer('agent_seq'),
  lostAgent: hexBlob('lost_agent'),
});
