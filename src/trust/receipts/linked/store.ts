import { accountLeaf, linkedAccount, linkedAgent, linkedBound } from '../../../../db/trust/linked.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot, type Transaction } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ accountLeaf, linkedAccount, linkedAgent, linkedBound, receipt });

export type AccountRow = typeof linkedAccount.$inferSelect;
export type AgentRow = typeof linkedAgent.$inferSelect;

/** Returns the account of an operator; null if it was never linked. */
export const accountOfOperator = sql.row(linkedAccount)`WHERE operator_seq = ${'operatorSeq'}`;

/** Returns an account by its hash; null for an unknown one. */
export const accountByHash = sql.row(linkedAccount)`WHERE account = ${'account'}`;

/** Adds an account without leaves. Its operatorSeq is null if the database does not have its operator. */
export const insertAccount = sql.insertRow(linkedAccount, {
  without: ['accountSeq'],
  fixed: { linked: false, leaves: 0 },
});

const agentByHash = sql.row(linkedAgent)`WHERE agent = ${'agent'}`;
const insertAgent = sql.insertRow(linkedAgent, { without: ['linkedAgentSeq'], fixed: { leaves: 0 } });

function agentBy(connection: Connection, row: Pick<AgentRow, 'accountSeq' | 'agent'>): AgentRow {
  return agentByHash.on(connection, row.agent) ?? insertAgent.on(connection, row);
}

/** Returns an agent of an account by its hash, which it adds if it is new. */
export function agentOf(tx: Transaction, row: Pick<AgentRow, 'accountSeq' | 'agent'>): Promise<AgentRow> {
  return runQuery(tx, (connection) => agentBy(connection, row));
}

/** The values of a new leaf of an account. */
export type NewLeaf = Omit<typeof accountLeaf.$inferSelect, 'leafSeq' | 'date' | 'accounts' | 'root'>;

const insertLeafRow = sql.insertReturning(accountLeaf, ['leafSeq'], {
  without: ['leafSeq', 'date', 'accounts', 'root'],
});

const insertHeadsRow = sql.insertReturning(accountLeaf, ['leafSeq'], {
  without: [
    'leafSeq',
    'accountSeq',
    'sequence',
    'receiptId',
    'contentHash',
    'linkedAgentSeq',
    'agentSequence',
  ],
});

/** The values of a new leaf of journal heads. */
export type NewHeadsLeaf = Parameters<typeof insertHeadsRow>[1];

/** Stores a leaf of journal heads. @returns its leaf_seq */
export function insertHeadsLeaf(tx: Transaction, leaf: NewHeadsLeaf): Promise<number> {
  return runQuery(tx, (connection) => insertHeadsRow.on(connection, leaf).leafSeq);
}

const newestDate = sql.value(orNull(sql.text`max(date)`))`FROM account_leaf WHERE date IS NOT NULL`;

/** Returns the day of the newest leaf of journal heads; null before the first. */
export async function newestHeadsDate(snapshot: Snapshot): Promise<string | null> {
  return (await newestDate(snapshot)) ?? null;
}

/** Returns the date of the newest leaf of an account; null before the first. Few leaves are of no account. */
export const newestLinkedAt = sql.value(accountLeaf.at, { scans: 'one leaf a day is of no account' })`
  WHERE account_seq IS NOT NULL ORDER BY leaf_seq DESC LIMIT 1`;

/**
 * Stores a leaf; triggers count it for its account and its agent.
 * @returns its leaf_seq
 * @throws DuplicateRow
 */
export function insertLeaf(tx: Transaction, leaf: NewLeaf): Promise<number> {
  return runQuery(tx, (connection) => insertLeafRow.on(connection, leaf).leafSeq);
}

/**
 * Stores the leaf of an act and looks up its agent in one call, since every linked act needs it.
 * @returns its leaf_seq
 * @throws DuplicateRow
 */
export function insertActLeaf(
  tx: Transaction,
  row: Pick<AgentRow, 'accountSeq' | 'agent'>,
  leafOf: (agent: AgentRow) => NewLeaf,
): Promise<number> {
  return runQuery(tx, (connection) => insertLeafRow.on(connection, leafOf(agentBy(connection, row))).leafSeq);
}

/** Stores how far the logs were when an account was linked or unlinked. */
export const insertBound = sql.insert(linkedBound);

/** A leaf with the hashes of its account and agent; null where it has none. */
export type StoredLeaf = Awaited<ReturnType<typeof leavesOfReceipt>>[number];

const STORED_LEAF = {
  leaf: accountLeaf,
  account: orNull(linkedAccount.account),
  agent: orNull(linkedAgent.agent),
};
const STORED_LEAVES = sql.part`FROM account_leaf
  LEFT JOIN linked_account ON linked_account.account_seq = account_leaf.account_seq
  LEFT JOIN linked_agent USING (linked_agent_seq)`;

/** Returns the leaves with from <= leaf_seq < to, in order; fewer if the log is shorter. */
export const leavesBetween = sql.joined(STORED_LEAF).rows`${STORED_LEAVES}
  WHERE leaf_seq >= ${'from:leafSeq'} AND leaf_seq < ${'to:leafSeq'} ORDER BY leaf_seq`;

/**
 * Returns the leaves of a receipt, oldest first. SQLite uses the partial index only if the query repeats its
 * condition.
 */
export const leavesOfReceipt = sql.joined(STORED_LEAF, { scans: 'sorts the leaves of a receipt' })
  .rows`${STORED_LEAVES}
  WHERE receipt_id IS NOT NULL AND receipt_id = ${'receiptId:accountLeaf.receiptId'} ORDER BY leaf_seq`;

const newestReceipt = sql.value(orNull(sql.number`max(receipt_seq)`))`FROM receipt`;

/** Returns the number of the newest receipt of all operators; 0 if there is none. */
export async function newestReceiptSeq(snapshot: Snapshot): Promise<number> {
  return (await newestReceipt(snapshot)) ?? 0;
}

/** Returns the operator and the agent of a receipt; null for an unknown one. */
export const ownerOfReceipt = sql.joined({ operatorSeq: receipt.operatorSeq, agentId: receipt.agentId })
  .row`FROM receipt WHERE receipt_id = ${'receiptId:receipt.receiptId'}`;

/** Returns whether the database has a receipt. */
export const hasReceipt = sql.exists(receipt)`WHERE receipt_id = ${'receiptId'}`;
