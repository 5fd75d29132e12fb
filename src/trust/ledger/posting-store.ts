import type { Statement } from 'bun:sqlite';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import type { AccountKind, Asset } from './accounts.ts';
import type { MovementRow } from './store.ts';
import type { Tier } from './tiers.ts';

/**
 * The statements of every movement and every balance, prepared without drizzle. The plus in conditions: see
 * `bound` in columns.ts.
 */
const STATE = `SELECT l.asset, l.balance, l.granted + l.earned AS received, l.last_seq AS lastSeq, c.entries, c.head FROM ledger_account l
  LEFT JOIN agent_credit c ON l.kind = 'agent' AND c.agent_seq = l.owner_seq
  WHERE l.kind = +? AND l.owner_seq = +?`;
const MOVEMENT = `INSERT INTO movement (transaction_id, ordinal, kind, asset, amount, debit_kind, debit_owner, credit_kind, credit_owner,
    debit_after, credit_after, debit_prev, credit_prev, created_at, reference, memo, receipt_seq, salt, debit_hash, credit_hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const CREDIT_CHANGE = `ON CONFLICT DO UPDATE SET entries = excluded.entries, head = excluded.head, evaluated_tier = excluded.evaluated_tier,
    evaluated_at = excluded.evaluated_at`;
const CREDIT_COLUMNS =
  'INSERT INTO agent_credit (agent_seq, entries, head, evaluated_tier, evaluated_at) VALUES';
const FIGURES = `SELECT asset, balance, granted, earned, spent FROM ledger_account WHERE kind = 'agent' AND owner_seq = +?`;
/** An agent without credits has one row of nulls. */
const AVAILABLE = `SELECT l.asset, l.balance, l.granted, l.earned, l.spent FROM agent a
  LEFT JOIN ledger_account l ON l.kind = 'agent' AND l.owner_seq = a.agent_seq
  WHERE a.subject_commitment = +?`;

type Bytes = Uint8Array | null;
type MovementValues = [
  Uint8Array,
  number,
  string,
  string,
  number,
  string,
  number,
  string,
  number,
  number,
  number,
  number | null,
  number | null,
  number,
  string | null,
  string | null,
  number | null,
  Uint8Array,
  Bytes,
  Bytes,
];
type CreditValues = [agentSeq: number, entries: number, head: Bytes, tier: string, at: number];

const query = statements((_orm, sqlite) => ({
  state: (): Statement<StoredState, [string, number]> => sqlite.prepare(STATE),
  insertMovement: (): Statement<unknown, MovementValues> => sqlite.prepare(MOVEMENT),
  putOne: (): Statement<unknown, CreditValues> =>
    sqlite.prepare(`${CREDIT_COLUMNS} (?, ?, ?, ?, ?) ${CREDIT_CHANGE}`),
  putTwo: (): Statement<unknown, [...CreditValues, ...CreditValues]> =>
    sqlite.prepare(`${CREDIT_COLUMNS} (?, ?, ?, ?, ?), (?, ?, ?, ?, ?) ${CREDIT_CHANGE}`),
  figures: (): Statement<AccountFigures, [number]> => sqlite.prepare(FIGURES),
  available: (): Statement<AccountFigures | { asset: null }, [Uint8Array]> => sqlite.prepare(AVAILABLE),
}));

interface StoredState {
  asset: Asset;
  balance: number;
  received: number;
  lastSeq: number | null;
  entries: number | null;
  head: Bytes;
}

/** An account in one asset. */
export interface AccountState extends Omit<StoredState, 'head'> {
  /** The hash of the newest entry in an agent's journal; null without an entry, and for other accounts. */
  head: string | null;
}

/**
 * Returns a row for each asset that an account ever had: its balance, what it received, its newest movement
 * and, for an agent, the end of its journal. It is one statement, because every movement reads two accounts.
 */
export function accountState(
  snapshot: Snapshot,
  kind: AccountKind,
  ownerSeq: number,
): Promise<AccountState[]> {
  return query(snapshot, (sql) =>
    sql.state.all(kind, ownerSeq).map((row) => ({ ...row, head: row.head?.toHex() ?? null })),
  );
}

/** Inserts a movement; a trigger books it on both accounts. */
export function insertMovement(tx: Transaction, row: Omit<MovementRow, 'movementSeq'>): Promise<void> {
  return query(
    tx,
    (sql) =>
      void sql.insertMovement.run(
        Uint8Array.fromHex(row.transactionId.slice('txn_'.length)),
        row.ordinal,
        row.kind,
        row.asset,
        row.amount,
        row.debitKind,
        row.debitOwner,
        row.creditKind,
        row.creditOwner,
        row.debitAfter,
        row.creditAfter,
        row.debitPrev,
        row.creditPrev,
        row.createdAt,
        row.reference,
        row.memo,
        row.receiptSeq,
        Uint8Array.fromHex(row.salt),
        bytesOf(row.debitHash),
        bytesOf(row.creditHash),
      ),
  );
}

/** The end of an agent's journal, and its evaluated tier. */
export interface JournalEnd {
  agentSeq: number;
  entries: number;
  head: string | null;
  evaluatedTier: Tier;
  /** Milliseconds since 1970. */
  evaluatedAt: number;
}

/** Sets the ends of the journals of one or two agents. */
export function putJournalEnds(tx: Transaction, ends: readonly JournalEnd[]): Promise<void> {
  const [first, second] = ends;
  return query(tx, (sql) => {
    if (first === undefined) return;
    if (second === undefined) sql.putOne.run(...valuesOf(first));
    else sql.putTwo.run(...valuesOf(first), ...valuesOf(second));
  });
}

function valuesOf({ agentSeq, entries, head, evaluatedTier, evaluatedAt }: JournalEnd): CreditValues {
  return [agentSeq, entries, bytesOf(head), evaluatedTier, evaluatedAt];
}

/** What an agent has of one asset. What is locked follows: granted + earned - spent - balance. */
export interface AccountFigures {
  asset: Asset;
  balance: number;
  granted: number;
  earned: number;
  spent: number;
}

/** Returns the rows of an agent's available credits. */
export function agentAccounts(snapshot: Snapshot, agentSeq: number): Promise<AccountFigures[]> {
  return query(snapshot, (sql) => sql.figures.all(agentSeq));
}

/**
 * Returns the rows of an agent's available credits by its commitment.
 * @param commitment 64 lower-case hexadecimal characters @returns null for an unknown agent
 */
export function availableByCommitment(
  snapshot: Snapshot,
  commitment: string,
): Promise<AccountFigures[] | null> {
  return query(snapshot, (sql) => {
    const rows = sql.available.all(Uint8Array.fromHex(commitment));
    return rows.length === 0 ? null : rows.filter((row) => row.asset !== null);
  });
}

function bytesOf(hex: string | null): Bytes {
  return hex === null ? null : Uint8Array.fromHex(hex);
}
