import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob } from '../../src/platform/store/columns.ts';
import { RECEIPT_OUTCOMES } from '../../src/proof/receipt/outcome.ts';

export const agentStanding = sqliteTable('agent_standing', {
  agentSeq: integer('agent_seq').primaryKey(),
  listed: integer('listed', { mode: 'boolean' }).notNull(),
  evidenceCount: integer('evidence_count').notNull(),
  lostCount: integer('lost_count').notNull(),
  artifactCount: integer('artifact_count').notNull(),
  receiptCount: integer('receipt_count').notNull(),
  failureCount: integer('failure_count').notNull(),
  firstObservedAt: text('first_observed_at'),
  lastObservedAt: text('last_observed_at'),
  lastEventHash: hexBlob('last_event_hash'),
  reputation: text('reputation', { enum: ['normal', 'degraded'] }).notNull(),
  milestone: integer('milestone').notNull(),
});

/** The receipts that were counted for an agent, including those that were revoked later. */
export const agentReceipt = sqliteTable('agent_receipt', {
  receiptSeq: integer('receipt_seq').primaryKey(),
  agentSeq: integer('agent_seq').notNull(),
  /** Days since 1970-01-01 UTC. */
  day: integer('day').notNull(),
  outcome: text('outcome', { enum: RECEIPT_OUTCOMES }).notNull(),
});

export const agentDay = sqliteTable(
  'agent_day',
  {
    agentSeq: integer('agent_seq').notNull(),
    day: integer('day').notNull(),
    successes: integer('successes').notNull(),
    failures: integer('failures').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentSeq, table.day] })],
);

export const reputationClock = sqliteTable('reputation_clock', {
  one: integer('one').primaryKey(),
  day: integer('day').notNull(),
  agentSeq: integer('agent_seq').notNull(),
});
