import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';

/**
 * A movement as it is stored, even with a kind or an asset that the program does not know. Bytes are in
 * lower-case hexadecimal, which takes less memory than byte arrays.
 */
export interface MovementRow {
  movementSeq: number;
  transactionId: string;
  ordinal: number;
  kind: string;
  asset: string;
  amount: number;
  debitKind: string;
  debitOwner: number;
  creditKind: string;
  creditOwner: number;
  debitAfter: number;
  creditAfter: number;
  /** The movements before it of the same accounts; null for the first. */
  debitPrev: number | null;
  creditPrev: number | null;
  /** Milliseconds since 1970. */
  createdAt: number;
  reference: string | null;
  memo: string | null;
  receiptSeq: number | null;
  salt: string;
  /** Empty if there is none. */
  debitHash: string;
  creditHash: string;
}

const MOVEMENTS = `
  SELECT movement_seq AS movementSeq, lower(hex(transaction_id)) AS transactionId, ordinal, kind, asset, amount, debit_kind AS debitKind,
    debit_owner AS debitOwner, credit_kind AS creditKind, credit_owner AS creditOwner, debit_after AS debitAfter,
    credit_after AS creditAfter, debit_prev AS debitPrev, credit_prev AS creditPrev, created_at AS createdAt, reference, memo, receipt_seq AS receiptSeq, lower(hex(salt)) AS salt,
    lower(hex(debit_hash)) AS debitHash, lower(hex(credit_hash)) AS creditHash
  FROM movement WHERE movement_seq > ? AND movement_seq <= ? ORDER BY movement_seq`;

/** Reads the movements with numbers above `after` up to `reach`, in order. */
export function movementRows(snapshot: Snapshot, after: number, reach: number): Promise<MovementRow[]> {
  return runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<MovementRow, [number, number]>(MOVEMENTS).all(after, reach),
  );
}

/** Returns the number of the newest movement; 0 if there is none. */
export async function newestMovement(snapshot: Snapshot): Promise<number> {
  const row = await runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<{ seq: number | null }, []>('SELECT max(movement_seq) AS seq FROM movement').get(),
  );
  return row?.seq ?? 0;
}

/** The state of an account after a movement: its balance in the movement's asset, and an agent's journal. */
export interface AccountState {
  movementSeq: number;
  asset: string;
  balance: number;
  /** In hexadecimal; empty for an account without a journal. */
  hash: string;
  /** The movement before it; null for the first. */
  prev: number | null;
}

/** Each movement names the one before it. A list ends where it leaves the account, or does not go back. */
const STATES = `
  WITH RECURSIVE list(movementSeq, asset, balance, hash, prev, number) AS (
    SELECT movement_seq, asset, iif(debit_kind = $kind AND debit_owner = $owner, debit_after, credit_after),
      lower(hex(iif(debit_kind = $kind AND debit_owner = $owner, debit_hash, credit_hash))),
      iif(debit_kind = $kind AND debit_owner = $owner, debit_prev, credit_prev), 1
    FROM movement WHERE movement_seq = $newest
      AND (debit_kind = $kind AND debit_owner = $owner OR credit_kind = $kind AND credit_owner = $owner)
    UNION ALL
    SELECT m.movement_seq, m.asset, iif(m.debit_kind = $kind AND m.debit_owner = $owner, m.debit_after, m.credit_after),
      lower(hex(iif(m.debit_kind = $kind AND m.debit_owner = $owner, m.debit_hash, m.credit_hash))),
      iif(m.debit_kind = $kind AND m.debit_owner = $owner, m.debit_prev, m.credit_prev), number + 1
    FROM list JOIN movement m ON m.movement_seq = list.prev AND m.movement_seq < list.movementSeq
    WHERE number < $limit
      AND (m.debit_kind = $kind AND m.debit_owner = $owner OR m.credit_kind = $kind AND m.credit_owner = $owner)
  ) SELECT movementSeq, asset, balance, hash, prev FROM list`;

/**
 * Returns the states of an account after one of its movements and those before it, newest first; none if it
 * is not one of them.
 */
export function accountStates(
  snapshot: Snapshot,
  account: { kind: string; owner: number },
  { newest, limit }: { newest: number; limit: number },
): Promise<AccountState[]> {
  return runQuery(snapshot, ({ sqlite }) =>
    sqlite
      .query<AccountState, { kind: string; owner: number; newest: number; limit: number }>(STATES)
      .all({ ...account, newest, limit }),
  );
}

/** The tables with the names of owners and receipts. */
export type NamedTable = 'agent' | 'operator' | 'receipt';

const NAMES: Readonly<Record<NamedTable, string>> = {
  agent: 'SELECT lower(hex(subject_commitment)) AS name FROM agent WHERE agent_seq = ?',
  operator: 'SELECT operator_id AS name FROM operator WHERE operator_seq = ?',
  receipt: "SELECT 'rcpt_' || lower(hex(receipt_id)) AS name FROM receipt WHERE receipt_seq = ?",
};

/** Returns the commitment of an agent, or the id of an operator or receipt; null for an unknown number. */
export async function nameOf(snapshot: Snapshot, table: NamedTable, seq: number): Promise<string | null> {
  const row = await runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<{ name: string }, [number]>(NAMES[table]).get(seq),
  );
  return row?.name ?? null;
}

/** The stored balance and figures of an account. */
export interface AccountRow {
  kind: string;
  owner: number;
  asset: string;
  balance: number;
  granted: number;
  earned: number;
  spent: number;
  lastSeq: number | null;
}

/** The number of rows of a page of accounts or journals, so that an audit never holds all of them. */
const PAGE = 4096;

const ACCOUNTS = `
  SELECT kind, owner_seq AS owner, asset, balance, granted, earned, spent, last_seq AS lastSeq FROM ledger_account
  WHERE (kind, owner_seq, asset) > (?, ?, ?) ORDER BY kind, owner_seq, asset LIMIT ${PAGE}`;

/** Yields pages of all accounts, in the order of their keys. */
export async function* accountPages(snapshot: Snapshot): AsyncGenerator<AccountRow[]> {
  let page = await accountsAfter(snapshot, { kind: '', owner: 0, asset: '' });
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = await accountsAfter(snapshot, last);
  }
}

function accountsAfter(
  snapshot: Snapshot,
  { kind, owner, asset }: Pick<AccountRow, 'kind' | 'owner' | 'asset'>,
): Promise<AccountRow[]> {
  return runQuery(snapshot, ({ sqlite }) =>
    sqlite.query<AccountRow, [string, number, string]>(ACCOUNTS).all(kind, owner, asset),
  );
}

/** The stored end of an agent's journal. */
export interface JournalRow {
  agentSeq: number;
  subjectCommitment: string | null;
  entries: number;
  /** In hexadecimal; empty if there is none. */
  head: string;
  /** The newest movement of the agent's available credits. */
  newest: number | null;
  evaluatedTier: string;
  evaluatedAt: number;
}

const JOURNALS = `
  SELECT c.agent_seq AS agentSeq, lower(hex(a.subject_commitment)) AS subjectCommitment, c.entries, lower(hex(c.head)) AS head,
    (SELECT max(last_seq) FROM ledger_account WHERE kind = 'agent' AND owner_seq = c.agent_seq) AS newest,
    c.evaluated_tier AS evaluatedTier, c.evaluated_at AS evaluatedAt
  FROM agent_credit c LEFT JOIN agent a USING (agent_seq) WHERE c.agent_seq > ? ORDER BY c.agent_seq LIMIT ${PAGE}`;

/** Yields pages of the ends of all agents' journals. */
export async function* journalPages(snapshot: Snapshot): AsyncGenerator<JournalRow[]> {
  let page = await journalsAfter(snapshot, 0);
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield page;
    page = await journalsAfter(snapshot, last.agentSeq);
  }
}

function journalsAfter(snapshot: Snapshot, agentSeq: number): Promise<JournalRow[]> {
  return runQuery(snapshot, ({ sqlite }) => sqlite.query<JournalRow, [number]>(JOURNALS).all(agentSeq));
}

const SUMS = 'SELECT asset, sum(balance) AS sum FROM ledger_account GROUP BY asset HAVING sum(balance) <> 0';

/** Returns the assets whose balances do not add up to zero. */
export function unbalancedAssets(snapshot: Snapshot): Promise<{ asset: string; sum: number }[]> {
  return runQuery(snapshot, ({ sqlite }) => sqlite.query<{ asset: string; sum: number }, []>(SUMS).all());
}
