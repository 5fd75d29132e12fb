import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { hexBlob, idBlob } from '../../src/platform/store/columns.ts';
import { ACCOUNT_KINDS, ASSETS, MOVEMENT_KINDS, TIERS } from './ledger-enums.ts';

/** The balance of each account in each asset. A trigger changes it with every movement. */
export const ledgerAccount = sqliteTable(
  'ledger_account',
  {
    kind: text('kind', { enum: ACCOUNT_KINDS }).notNull(),
    /** operator_seq or agent_seq; 0 for accounts of the service. */
    ownerSeq: integer('owner_seq').notNull(),
    asset: text('asset', { enum: ASSETS }).notNull(),
    balance: integer('balance').notNull().default(0),
    /** For agents: the figures of all time. */
    granted: integer('granted').notNull().default(0),
    earned: integer('earned').notNull().default(0),
    spent: integer('spent').notNull().default(0),
    /** The newest movement; null before the first. */
    lastSeq: integer('last_seq'),
  },
  (table) => [primaryKey({ columns: [table.kind, table.ownerSeq, table.asset] })],
);

/** Every movement of one asset from one account to another. Rows never change. */
export const movement = sqliteTable('movement', {
  movementSeq: integer('movement_seq').primaryKey(),
  transactionId: idBlob('txn_')('transaction_id').notNull(),
  /** The number of the movement in its transaction, from 0. */
  ordinal: integer('ordinal').notNull(),
  kind: text('kind', { enum: MOVEMENT_KINDS }).notNull(),
  asset: text('asset', { enum: ASSETS }).notNull(),
  amount: integer('amount').notNull(),
  debitKind: text('debit_kind', { enum: ACCOUNT_KINDS }).notNull(),
  debitOwner: integer('debit_owner').notNull(),
  creditKind: text('credit_kind', { enum: ACCOUNT_KINDS }).notNull(),
  creditOwner: integer('credit_owner').notNull(),
  /** The balances after the movement. */
  debitAfter: integer('debit_after').notNull(),
  creditAfter: integer('credit_after').notNull(),
  /** The movements before it of the same accounts; null for the first. */
  debitPrev: integer('debit_prev'),
  creditPrev: integer('credit_prev'),
  /** Milliseconds since 1970. */
  createdAt: integer('created_at').notNull(),
  reference: text('reference'),
  memo: text('memo'),
  receiptSeq: integer('receipt_seq'),
  salt: hexBlob('salt').notNull(),
  /** The entry_hash in the journal of the agent whose available credits changed. */
  debitHash: hexBlob('debit_hash'),
  creditHash: hexBlob('credit_hash'),
  /** The entry_hash in the journal of the pool that changed, and the number of this entry, from 1. */
  poolHash: hexBlob('pool_hash'),
  poolEntry: integer('pool_entry'),
  /**
   * The entry of the agent whose locked credits another account received: the movement before it of the
   * agent's available credits, their balance and the entry_hash.
   */
  payerPrev: integer('payer_prev'),
  payerAfter: integer('payer_after'),
  payerHash: hexBlob('payer_hash'),
});

/** What accounts had when their journals became complete. A pool has an entry of kind OPENING for each. */
export const journalOpening = sqliteTable(
  'journal_opening',
  {
    kind: text('kind', { enum: ACCOUNT_KINDS }).notNull(),
    ownerSeq: integer('owner_seq').notNull(),
    asset: text('asset', { enum: ASSETS }).notNull(),
    balance: integer('balance').notNull(),
    granted: integer('granted').notNull(),
    earned: integer('earned').notNull(),
    spent: integer('spent').notNull(),
    /** The newest movement of all accounts. */
    afterSeq: integer('after_seq').notNull(),
    /** Of an agent, the hash of its newest entry. */
    head: hexBlob('head'),
    /** Of a pool, what its entry is made of. */
    transactionId: idBlob('txn_')('transaction_id'),
    salt: hexBlob('salt'),
    /** Milliseconds since 1970. */
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.ownerSeq, table.asset] })],
);

/** Every 256th entry of a journal, from which a page of some time in the past begins. */
export const journalMark = sqliteTable(
  'journal_mark',
  {
    kind: text('kind', { enum: ACCOUNT_KINDS }).notNull(),
    ownerSeq: integer('owner_seq').notNull(),
    movementSeq: integer('movement_seq').notNull(),
    /** Milliseconds since 1970. */
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.ownerSeq, table.movementSeq] })],
);

/** The movements whose transaction id is smaller than that of the movement before them. */
export const movementStep = sqliteTable('movement_step', {
  movementSeq: integer('movement_seq').primaryKey(),
  transactionId: idBlob('txn_')('transaction_id').notNull(),
  /** Of the movement before it. */
  beforeId: idBlob('txn_')('before_id').notNull(),
});

/** The end of each agent's journal, and the tier that its balance gave. */
export const agentCredit = sqliteTable('agent_credit', {
  agentSeq: integer('agent_seq').primaryKey(),
  entries: integer('entries').notNull(),
  /** The hash of the newest entry; null if there is none. */
  head: hexBlob('head'),
  evaluatedTier: text('evaluated_tier', { enum: TIERS }).notNull(),
  /** Milliseconds since 1970. */
  evaluatedAt: integer('evaluated_at').notNull(),
});

/**
 * From which payment the credits of an account come, and from when they can be withdrawn: all its paid
 * credits, and the promotional credits of purchases. Times of all tables are milliseconds since 1970.
 */
export const creditLot = sqliteTable(
  'credit_lot',
  {
    kind: text('kind', { enum: ACCOUNT_KINDS }).notNull(),
    ownerSeq: integer('owner_seq').notNull(),
    asset: text('asset', { enum: ASSETS }).notNull(),
    /** The transaction that locked them; zeros for credits that are not locked. */
    lock: idBlob('txn_')('lock').notNull(),
    maturesAt: integer('matures_at').notNull(),
    /** The booked payment that bought them; 0 for none. */
    paymentSeq: integer('payment_seq').notNull(),
    amount: integer('amount').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.kind, table.ownerSeq, table.asset, table.lock, table.maturesAt, table.paymentSeq],
    }),
  ],
);

/** The sum of the lots of an account. Triggers change it with the lots. */
export const lotTotal = sqliteTable(
  'lot_total',
  {
    kind: text('kind', { enum: ACCOUNT_KINDS }).notNull(),
    ownerSeq: integer('owner_seq').notNull(),
    asset: text('asset', { enum: ASSETS }).notNull(),
    amount: integer('amount').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.ownerSeq, table.asset] })],
);

/** The operator that made a payment, and when its credits mature without a dispute. */
export const lotPayment = sqliteTable('lot_payment', {
  paymentSeq: integer('payment_seq').primaryKey(),
  operatorSeq: integer('operator_seq').notNull(),
  maturesAt: integer('matures_at').notNull(),
  /** True for a payment from before there were lots: its credits are not told apart. */
  unnamed: integer('unnamed', { mode: 'boolean' }).notNull(),
});
