import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { TIERS } from './ledger-enums.ts';

/** The access tiers that administrators set. The newest row of an agent applies. Rows never change. */
export const accessOverride = sqliteTable('access_override', {
  overrideSeq: integer('override_seq').primaryKey(),
  agentSeq: integer('agent_seq').notNull(),
  /** null ends the override before it. */
  tier: text('tier', { enum: TIERS }),
  reason: text('reason').notNull(),
  /** The operator whose admin key it was. */
  operatorSeq: integer('operator_seq').notNull(),
  createdAt: text('created_at').notNull(),
});

/** What each key with a limit over time spent in each hour. */
export const keySpendingHour = sqliteTable('key_spending_hour', {
  apiKeySeq: integer('api_key_seq').notNull(),
  /** Hours since 1970. */
  hour: integer('hour').notNull(),
  credits: integer('credits').notNull(),
});

/** What each of these keys spent in all: derived from the hours. */
export const keySpending = sqliteTable('key_spending', {
  apiKeySeq: integer('api_key_seq').primaryKey(),
  credits: integer('credits').notNull(),
});
