import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob, rawBlob } from '../../src/platform/store/columns.ts';
import { JOURNAL_HEADS } from '../../src/proof/log/journal-heads-entry.ts';
import { ACCOUNT_EVENTS } from '../../src/proof/log/log-entry.ts';

/** The operators that were ever linked. Triggers change `linked` and `leaves` with each leaf. */
export const linkedAccount = sqliteTable('linked_account', {
  accountSeq: integer('account_seq').primaryKey(),
  account: hexBlob('account').notNull(),
  operatorSeq: integer('operator_seq'),
  linked: integer('linked', { mode: 'boolean' }).notNull(),
  leaves: integer('leaves').notNull(),
});

/** The agents of linked accounts with a leaf. */
export const linkedAgent = sqliteTable('linked_agent', {
  linkedAgentSeq: integer('linked_agent_seq').primaryKey(),
  accountSeq: integer('account_seq').notNull(),
  agent: hexBlob('agent').notNull(),
  leaves: integer('leaves').notNull(),
});

/** The leaves of the log of accounts. */
export const accountLeaf = sqliteTable('account_leaf', {
  leafSeq: integer('leaf_seq').primaryKey(),
  leafHash: rawBlob('leaf_hash').notNull(),
  /** Null, as the sequence, for heads of journals. */
  accountSeq: integer('account_seq'),
  sequence: integer('sequence'),
  event: text('event', { enum: [...ACCOUNT_EVENTS, JOURNAL_HEADS] }).notNull(),
  receiptId: idBlob('rcpt_')('receipt_id'),
  contentHash: hexBlob('content_hash'),
  linkedAgentSeq: integer('linked_agent_seq'),
  agentSequence: integer('agent_sequence'),
  at: text('at').notNull(),
  recovered: integer('recovered', { mode: 'boolean' }).notNull(),
  /** Of heads of journals: the day that had ended, the number of heads, and the root of their tree. */
  date: text('date'),
  accounts: integer('accounts'),
  root: hexBlob('root'),
});

/** What there was when an account was linked or unlinked. */
export const linkedBound = sqliteTable('linked_bound', {
  leafSeq: integer('leaf_seq').primaryKey(),
  receiptSeq: integer('receipt_seq').notNull(),
  receiptLeaf: integer('receipt_leaf').notNull(),
  revocationLeaf: integer('revocation_leaf').notNull(),
});
