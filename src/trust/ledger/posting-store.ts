import { agent } from '../../../db/trust/agents.ts';
import { agentCredit, journalMark, ledgerAccount, lotTotal, movement } from '../../../db/trust/ledger.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';

const sql = sqlOf({ agent, agentCredit, journalMark, ledgerAccount, lotTotal, movement });

const figuresOf = {
  kind: ledgerAccount.kind,
  asset: ledgerAccount.asset,
  balance: ledgerAccount.balance,
  received: sql.number`granted + earned`,
  lastSeq: ledgerAccount.lastSeq,
};
const LOTS = { lots: orNull(lotTotal.amount) };
const NO_LOTS = { lots: orNull(sql.number`NULL`) };
const NO_JOURNAL = {
  entries: orNull(sql.number`NULL`),
  head: orNull(sql.like(agentCredit.head)`NULL`),
};
const OF_AGENT = { entries: orNull(agentCredit.entries), head: agentCredit.head };
const OF_POOL = { entries: movement.poolEntry, head: movement.poolHash };
const WITH_LOTS = sql.part`FROM ledger_account LEFT JOIN lot_total USING (kind, owner_seq, asset)`;
const WITH_JOURNAL = sql.part`LEFT JOIN agent_credit ON ledger_account.kind = 'agent' AND agent_seq = owner_seq`;
const OF_ACCOUNT = sql.part`WHERE ledger_account.kind = ${'kind:ledgerAccount.kind'}
  AND owner_seq = ${'ownerSeq:ledgerAccount.ownerSeq'}`;

const plainState = sql.joined({ ...figuresOf, ...NO_LOTS, ...NO_JOURNAL })
  .rows`FROM ledger_account ${OF_ACCOUNT}`;
const stateWithLots = sql.joined({ ...figuresOf, ...LOTS, ...NO_JOURNAL }).rows`${WITH_LOTS} ${OF_ACCOUNT}`;
const agentState = sql.joined({ ...figuresOf, ...LOTS, ...OF_AGENT })
  .rows`${WITH_LOTS} ${WITH_JOURNAL} ${OF_ACCOUNT}`;
const poolState = sql.joined({ ...figuresOf, ...LOTS, ...OF_POOL })
  .rows`${WITH_LOTS} LEFT JOIN movement ON movement_seq = last_seq ${OF_ACCOUNT}`;

/** An account of the ledger in an asset: its lots and its journal's end, if it has them. */
export type StateRow = Awaited<ReturnType<typeof stateWithLots>>[number];

/**
 * Returns a row for each asset that an account ever had: its balance, what it received, the sum of its lots,
 * its newest movement and, for an agent, the number of its journal's entries and the hash of the newest; null
 * without an entry. Of a pool they are those of this newest movement. It is one statement, because every
 * movement reads two accounts, and joins only what accounts of a kind have.
 */
export function accountState(
  snapshot: Snapshot,
  { kind, ownerSeq }: { kind: StateRow['kind']; ownerSeq: number },
): Promise<StateRow[]> {
  const account = { kind, ownerSeq };
  switch (kind) {
    case 'agent':
      return agentState(snapshot, account);
    case 'pool':
      return poolState(snapshot, account);
    case 'locked':
    case 'unclaimed':
      return stateWithLots(snapshot, account);
    default:
      return plainState(snapshot, account);
  }
}

/** Returns the same of an agent's locked credits and of its available ones. */
export const lockedState = sql.joined({ ...figuresOf, ...LOTS, ...OF_AGENT })
  .rows`${WITH_LOTS} ${WITH_JOURNAL}
  WHERE ledger_account.kind IN ('agent', 'locked') AND owner_seq = ${'ownerSeq:ledgerAccount.ownerSeq'}`;

/** Marks the newest movement as an entry from which pages can begin. */
export const markNewest = sql.run`INSERT INTO journal_mark (kind, owner_seq, movement_seq, created_at)
  VALUES (${'kind:journalMark.kind'}, ${'ownerSeq:journalMark.ownerSeq'}, (SELECT max(movement_seq) FROM movement),
    ${'createdAt:journalMark.createdAt'})`;

/** Inserts a movement; a trigger books it on both accounts. */
export const insertMovement = sql.insert(movement, { without: ['movementSeq'] });

const CHANGE = `ON CONFLICT (agent_seq) DO UPDATE SET entries = excluded.entries, head = excluded.head,
  evaluated_tier = excluded.evaluated_tier, evaluated_at = excluded.evaluated_at`;
const putOne = sql.insert(agentCredit, { end: CHANGE });
/** One statement for both agents of a movement, which is faster than two. */
const putTwo = sql.run`
  INSERT INTO agent_credit (agent_seq, entries, head, evaluated_tier, evaluated_at)
  VALUES (${'agentSeq'}, ${'entries'}, ${'head?'}, ${'evaluatedTier'}, ${'evaluatedAt'}),
    (${'agentSeq2:agentSeq'}, ${'entries2:entries'}, ${'head2:head?'}, ${'evaluatedTier2:evaluatedTier'},
      ${'evaluatedAt2:evaluatedAt'})
  ${sql.verbatim(CHANGE)}`;

/** The end of an agent's journal, and its evaluated tier. */
export type JournalEnd = typeof agentCredit.$inferSelect;

/** Sets the ends of the journals of one or two agents. */
export async function putJournalEnds(tx: Transaction, ends: readonly JournalEnd[]): Promise<void> {
  const [first, second] = ends;
  if (first === undefined) return;
  if (second === undefined) await putOne(tx, first);
  else
    await putTwo(tx, {
      ...first,
      agentSeq2: second.agentSeq,
      entries2: second.entries,
      head2: second.head,
      evaluatedTier2: second.evaluatedTier,
      evaluatedAt2: second.evaluatedAt,
    });
}

/** What an agent has of one asset. What is locked follows: granted + earned - spent - balance. */
const figures = {
  asset: ledgerAccount.asset,
  balance: ledgerAccount.balance,
  granted: ledgerAccount.granted,
  earned: ledgerAccount.earned,
  spent: ledgerAccount.spent,
};
export type AccountFigures = Awaited<ReturnType<typeof agentAccounts>>[number];

/** Returns the rows of an agent's available credits. */
export const agentAccounts = sql.joined(figures).rows`FROM ledger_account
  WHERE kind = 'agent' AND owner_seq = ${'ownerSeq'}`;

/** An agent without credits has one row of nulls. */
const accountsByCommitment = sql.joined({ account: orNull(figures) }).rows`
  FROM agent LEFT JOIN ledger_account ON kind = 'agent' AND owner_seq = agent_seq
  WHERE subject_commitment = ${'subjectCommitment'}`;

/**
 * Returns the rows of an agent's available credits by its commitment.
 * @param commitment 64 lower-case hexadecimal characters @returns null for an unknown agent
 */
export async function availableByCommitment(
  snapshot: Snapshot,
  commitment: string,
): Promise<AccountFigures[] | null> {
  const rows = await accountsByCommitment(snapshot, commitment);
  return rows.length === 0 ? null : rows.flatMap(({ account }) => account ?? []);
}
