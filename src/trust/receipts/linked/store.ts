import type { Statement } from 'bun:sqlite';
import { and, eq, gte, lt, max, sql } from 'drizzle-orm';
import { accountLeaf, linkedAccount, linkedAgent, linkedBound } from '../../../../db/trust/linked.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];

const selectLeaf = (orm: Orm) =>
  orm
    .select({ leaf: accountLeaf, account: linkedAccount.account, agent: linkedAgent.agent })
    .from(accountLeaf)
    .innerJoin(linkedAccount, eq(linkedAccount.accountSeq, accountLeaf.accountSeq))
    .leftJoin(linkedAgent, eq(linkedAgent.linkedAgentSeq, accountLeaf.linkedAgentSeq));

/** The statements of every act of a linked account, prepared without drizzle. */
const AGENT =
  'SELECT linked_agent_seq AS linkedAgentSeq, account_seq AS accountSeq, leaves FROM linked_agent WHERE agent = ?';
const LEAF = `INSERT INTO account_leaf (leaf_hash, account_seq, sequence, event, receipt_id, content_hash, linked_agent_seq, agent_sequence,
    at, recovered) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

type Bytes = Uint8Array | null;
type LeafValues = [
  Uint8Array,
  number,
  number,
  string,
  Bytes,
  Bytes,
  number | null,
  number | null,
  string,
  number,
];

const query = statements((orm, sqlite) => ({
  ofOperator: () =>
    orm
      .select()
      .from(linkedAccount)
      .where(eq(linkedAccount.operatorSeq, bound(linkedAccount.operatorSeq, 'operatorSeq')))
      .prepare(),
  byAccount: () =>
    orm
      .select()
      .from(linkedAccount)
      .where(eq(linkedAccount.account, bound(linkedAccount.account, 'account')))
      .prepare(),
  insertAccount: () =>
    orm
      .insert(linkedAccount)
      .values(everyColumn(linkedAccount, ['accountSeq'], { linked: false, leaves: 0 }))
      .returning()
      .prepare(),
  agent: (): Statement<Omit<AgentRow, 'agent'>, [Uint8Array]> => sqlite.prepare(AGENT),
  insertAgent: () =>
    orm
      .insert(linkedAgent)
      .values(everyColumn(linkedAgent, ['linkedAgentSeq'], { leaves: 0 }))
      .returning()
      .prepare(),
  insertLeaf: (): Statement<unknown, LeafValues> => sqlite.prepare(LEAF),
  insertBound: () => orm.insert(linkedBound).values(everyColumn(linkedBound)).prepare(),
  /** The leaves with from <= leaf_seq < to, in order. */
  range: () =>
    selectLeaf(orm)
      .where(
        and(
          gte(accountLeaf.leafSeq, bound(accountLeaf.leafSeq, 'from')),
          lt(accountLeaf.leafSeq, bound(accountLeaf.leafSeq, 'to')),
        ),
      )
      .orderBy(accountLeaf.leafSeq)
      .prepare(),
  ofReceipt: () =>
    selectLeaf(orm)
      .where(
        and(
          // SQLite uses the partial index only if the query repeats its condition.
          sql`${accountLeaf.receiptId} IS NOT NULL`,
          eq(accountLeaf.receiptId, bound(accountLeaf.receiptId, 'receiptId')),
        ),
      )
      .orderBy(accountLeaf.leafSeq)
      .prepare(),
  newestReceipt: () =>
    orm
      .select({ receiptSeq: max(receipt.receiptSeq) })
      .from(receipt)
      .prepare(),
  receipt: () =>
    orm
      .select({ receiptSeq: receipt.receiptSeq })
      .from(receipt)
      .where(eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')))
      .prepare(),
}));

export type AccountRow = typeof linkedAccount.$inferSelect;
export type AgentRow = typeof linkedAgent.$inferSelect;

/** A leaf with the hashes of its account and agent. */
export type StoredLeaf = ReturnType<ReturnType<typeof selectLeaf>['all']>[number];

/** Returns the account of an operator; null if it was never linked. */
export function accountOfOperator(snapshot: Snapshot, operatorSeq: number): Promise<AccountRow | null> {
  return query(snapshot, (sql) => sql.ofOperator.get({ operatorSeq }) ?? null);
}

/** Returns an account by its hash; null for an unknown one. */
export function accountByHash(snapshot: Snapshot, account: string): Promise<AccountRow | null> {
  return query(snapshot, (sql) => sql.byAccount.get({ account }) ?? null);
}

/** Adds an account without leaves. @param operatorSeq null if the database does not have its operator */
export function insertAccount(
  tx: Transaction,
  row: Pick<AccountRow, 'account' | 'operatorSeq'>,
): Promise<AccountRow> {
  return query(tx, (sql) => sql.insertAccount.get(row));
}

/** Returns an agent of an account by its hash, which it adds if it is new. */
export function agentOf(tx: Transaction, row: Pick<AgentRow, 'accountSeq' | 'agent'>): Promise<AgentRow> {
  return query(tx, (sql) => agentBy(sql, row));
}

/** The values of a new leaf. */
export type NewLeaf = Omit<typeof accountLeaf.$inferSelect, 'leafSeq'>;

/**
 * Stores a leaf; triggers count it for its account and its agent.
 * @returns its leaf_seq
 * @throws DuplicateRow
 */
export function insertLeaf(tx: Transaction, leaf: NewLeaf): Promise<number> {
  return query(tx, (sql) => runInsert(sql, leaf));
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
  return query(tx, (sql) => runInsert(sql, leafOf(agentBy(sql, row))));
}

/** Stores how far the logs were when an account was linked or unlinked. */
export function insertBound(tx: Transaction, row: typeof linkedBound.$inferSelect): Promise<void> {
  return query(tx, (sql) => void sql.insertBound.run(row));
}

/** Returns the leaves with from <= leaf_seq < to, in order; fewer if the log is shorter. */
export function leavesBetween(snapshot: Snapshot, from: number, to: number): Promise<StoredLeaf[]> {
  return query(snapshot, (sql) => sql.range.all({ from, to }));
}

/** Returns the leaves of a receipt, oldest first. */
export function leavesOfReceipt(snapshot: Snapshot, receiptId: string): Promise<StoredLeaf[]> {
  return query(snapshot, (sql) => sql.ofReceipt.all({ receiptId }));
}

/** Returns the number of the newest receipt of all operators; 0 if there is none. */
export function newestReceiptSeq(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.newestReceipt.get()?.receiptSeq ?? 0);
}

/** Returns whether the database has a receipt. */
export function hasReceipt(snapshot: Snapshot, receiptId: string): Promise<boolean> {
  return query(snapshot, (sql) => sql.receipt.get({ receiptId }) !== undefined);
}

type LeafStatements = {
  agent: Statement<Omit<AgentRow, 'agent'>, [Uint8Array]>;
  insertAgent: { get(row: Pick<AgentRow, 'accountSeq' | 'agent'>): AgentRow };
  insertLeaf: Statement<unknown, LeafValues>;
};

function agentBy(
  sql: Pick<LeafStatements, 'agent' | 'insertAgent'>,
  row: Pick<AgentRow, 'accountSeq' | 'agent'>,
): AgentRow {
  const { agent } = row;
  const stored = sql.agent.get(Uint8Array.fromHex(agent));
  return stored === null ? sql.insertAgent.get(row) : { ...stored, agent };
}

function runInsert(sql: Pick<LeafStatements, 'insertLeaf'>, leaf: NewLeaf): number {
  const { receiptId, contentHash } = leaf;
  const { lastInsertRowid } = sql.insertLeaf.run(
    leaf.leafHash,
    leaf.accountSeq,
    leaf.sequence,
    leaf.event,
    receiptId === null ? null : Uint8Array.fromHex(receiptId.slice('rcpt_'.length)),
    contentHash === null ? null : Uint8Array.fromHex(contentHash),
    leaf.linkedAgentSeq,
    leaf.agentSequence,
    leaf.at,
    leaf.recovered ? 1 : 0,
  );
  return Number(lastInsertRowid);
}
