import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, jsonText } from '../../src/platform/store/columns.ts';
import { ACCOUNT_STATUSES, PLANS, ROLES } from './operators-enums.ts';

export const operator = sqliteTable('operator', {
  operatorSeq: integer('operator_seq').primaryKey(),
  operatorId: text('operator_id').notNull(),
  accountStatus: text('account_status', { enum: ACCOUNT_STATUSES }).notNull(),
  createdAt: text('created_at').notNull(),
  name: text('name'),
  plan: text('plan', { enum: PLANS }).notNull().default('FREE'),
  /** True if the operator was created for an agent that asked for it, not by an administrator. */
  selfProvisioned: integer('self_provisioned', { mode: 'boolean' }).notNull().default(false),
  /** True if the operator had a subscription at any time. */
  subscribed: integer('subscribed', { mode: 'boolean' }).notNull().default(false),
  pardonedAt: text('pardoned_at'),
  /** For a self-provisioned operator: the subject commitment of its agent. */
  provisionedFor: hexBlob('provisioned_for'),
  /** Milliseconds since 1970; null while the account is ACTIVE. */
  inactiveSince: integer('inactive_since'),
  /** For how long the account was not ACTIVE in former times. */
  inactiveMs: integer('inactive_ms').notNull().default(0),
});

export const apiKey = sqliteTable('api_key', {
  keyHash: hexBlob('key_hash').primaryKey(),
  operatorSeq: integer('operator_seq').notNull(),
  role: text('role', { enum: ROLES }).notNull(),
  admin: integer('admin', { mode: 'boolean' }).notNull(),
  name: text('name'),
  createdAt: text('created_at').notNull(),
  subjectCommitment: hexBlob('subject_commitment'),
  scope: jsonText<Scope>()('scope'),
  lastUsedAt: text('last_used_at'),
});

/** The number of a key, which stays when the key is deleted. A trigger gives it. */
export const apiKeyNumber = sqliteTable('api_key_number', {
  apiKeySeq: integer('api_key_seq').primaryKey(),
  keyHash: hexBlob('key_hash').notNull(),
  operatorSeq: integer('operator_seq').notNull(),
});

/** The limits of a key. */
export interface Scope {
  /** Credits. */
  max_credits?: number;
  /** Credits that the key may spend in all. */
  max_credits_total?: number;
  /** Credits that the key may spend in 24 hours. */
  max_credits_per_day?: number;
  products?: string[];
  /** RFC 3339; from then on the key may read, finalize and revoke what it issued, and delete itself. */
  expires_at?: string;
}

export const session = sqliteTable('session', {
  tokenHash: hexBlob('token_hash').primaryKey(),
  keyHash: hexBlob('key_hash').notNull(),
  createdAt: text('created_at').notNull(),
  expiresAt: text('expires_at').notNull(),
});

/** One row with a number that triggers change whenever the rights of a key, an account or an agent change. */
export const authorityMark = sqliteTable('authority_mark', {
  one: integer('one').primaryKey(),
  mark: integer('mark').notNull(),
});

export const serviceToken = sqliteTable('service_token', {
  one: integer('one').primaryKey(),
  tokenHash: hexBlob('token_hash').notNull(),
  createdAt: text('created_at').notNull(),
});
