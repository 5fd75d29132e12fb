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
  /** The accepted deliveries that count on the day of the delivery clock. */
  deliveries: integer('deliveries').notNull(),
  /** The score by which the leaderboard is sorted: the one of now unless it is stale. */
  score: integer('score').notNull(),
  stale: integer('stale', { mode: 'boolean' }).notNull(),
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
    /** Of these, what others attest, and what the sponsor does. The agent itself signed the rest. */
    corroboratedSuccesses: integer('corroborated_successes').notNull(),
    corroboratedFailures: integer('corroborated_failures').notNull(),
    sponsoredSuccesses: integer('sponsored_successes').notNull(),
    sponsoredFailures: integer('sponsored_failures').notNull(),
    /** What assessors found, and failed receipts that the sponsor revoked: in the score, and in no rate. */
    assessedSuccesses: integer('assessed_successes').notNull(),
    assessedFailures: integer('assessed_failures').notNull(),
    revokedFailures: integer('revoked_failures').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentSeq, table.day] })],
);

export const reputationClock = sqliteTable('reputation_clock', {
  one: integer('one').primaryKey(),
  day: integer('day').notNull(),
  agentSeq: integer('agent_seq').notNull(),
});

/** Items whose payload counts under another source type. */
export const evidenceRepeat = sqliteTable('evidence_repeat', {
  evidenceSeq: integer('evidence_seq').primaryKey(),
});

/** Items that came with the service token. */
export const evidenceAttested = sqliteTable('evidence_attested', {
  evidenceSeq: integer('evidence_seq').primaryKey(),
});

/** Hires that a hirer of another sponsor accepted. */
export const acceptedDelivery = sqliteTable('accepted_delivery', {
  escrowSeq: integer('escrow_seq').primaryKey(),
  workerSeq: integer('worker_seq').notNull(),
  hirerSponsor: integer('hirer_sponsor').notNull(),
  workerSponsor: integer('worker_sponsor').notNull(),
  /** Days since 1970-01-01 UTC. */
  acceptedDay: integer('accepted_day').notNull(),
});

/** The payments that bought the credits of a hire. */
export const hirePayment = sqliteTable(
  'hire_payment',
  {
    escrowSeq: integer('escrow_seq').notNull(),
    paymentSeq: integer('payment_seq').notNull(),
  },
  (table) => [primaryKey({ columns: [table.escrowSeq, table.paymentSeq] })],
);

/** The days on which an administrator took credits back from an agent. */
export const clawBack = sqliteTable(
  'claw_back',
  {
    agentSeq: integer('agent_seq').notNull(),
    /** Days since 1970-01-01 UTC. */
    day: integer('day').notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentSeq, table.day] })],
);

/** Assessments of listed assessors that count as outcomes of the assessed agent. */
export const assessedOutcome = sqliteTable('assessed_outcome', {
  evidenceSeq: integer('evidence_seq').primaryKey(),
  assessorSeq: integer('assessor_seq').notNull(),
  subjectSeq: integer('subject_seq').notNull(),
  framework: text('framework').notNull(),
  /** Days since 1970-01-01 UTC. */
  day: integer('day').notNull(),
  outcome: text('outcome', { enum: ['success', 'failure'] }).notNull(),
});

/** The credits that passed from one operator, with its agents, to another each day. */
export const sponsorFlow = sqliteTable(
  'sponsor_flow',
  {
    payer: integer('payer').notNull(),
    payee: integer('payee').notNull(),
    /** Days since 1970-01-01 UTC. */
    day: integer('day').notNull(),
    credits: integer('credits').notNull(),
  },
  (table) => [primaryKey({ columns: [table.payer, table.payee, table.day] })],
);

export const deliveryClock = sqliteTable('delivery_clock', {
  one: integer('one').primaryKey(),
  day: integer('day').notNull(),
  workerSeq: integer('worker_seq').notNull(),
});
