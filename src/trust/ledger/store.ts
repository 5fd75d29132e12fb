import { and, eq, max, sql } from 'drizzle-orm';
import { agentCredit, ledgerAccount, movement } from '../../../db/trust/ledger.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { runQuery, type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import type { AccountKind, Asset } from './accounts.ts';

const query = statements((orm) => ({
  balances: () =>
    orm
      .select({
        asset: ledgerAccount.asset,
        balance: ledgerAccount.balance,
      })
      .from(ledgerAccount)
      .where(
        and(
          eq(ledgerAccount.kind, bound(ledgerAccount.kind, 'kind')),
          eq(ledgerAccount.ownerSeq, bound(ledgerAccount.ownerSeq, 'ownerSeq')),
        ),
      )
      .prepare(),
  state: () =>
    orm
      .select({
        asset: ledgerAccount.asset,
        balance: ledgerAccount.balance,
        received: sql<number>`${ledgerAccount.granted} + ${ledgerAccount.earned}`,
        lastSeq: ledgerAccount.lastSeq,
        entries: agentCredit.entries,
        head: agentCredit.head,
      })
      .from(ledgerAccount)
      .leftJoin(
        agentCredit,
        and(sql`${ledgerAccount.kind} = 'agent'`, eq(agentCredit.agentSeq, ledgerAccount.ownerSeq)),
      )
      .where(
        and(
          eq(ledgerAccount.kind, bound(ledgerAccount.kind, 'kind')),
          eq(ledgerAccount.ownerSeq, bound(ledgerAccount.ownerSeq, 'ownerSeq')),
        ),
      )
      .prepare(),
  figures: () =>
    orm
      .select()
      .from(ledgerAccount)
      .where(
        and(
          sql`${ledgerAccount.kind} IN ('agent', 'locked')`,
          eq(ledgerAccount.ownerSeq, bound(ledgerAccount.ownerSeq, 'agentSeq')),
        ),
      )
      .prepare(),
  insertMovement: () =>
    orm
      .insert(movement)
      .values(everyColumn(movement, ['movementSeq']))
      .prepare(),
  newest: () =>
    orm
      .select({ seq: max(movement.movementSeq) })
      .from(movement)
      .prepare(),
  credit: () =>
    orm
      .select()
      .from(agentCredit)
      .where(eq(agentCredit.agentSeq, bound(agentCredit.agentSeq, 'agentSeq')))
      .prepare(),
  putCredit: () =>
    orm
      .insert(agentCredit)
      .values(everyColumn(agentCredit))
      .onConflictDoUpdate({
        target: agentCredit.agentSeq,
        set: {
          entries: sql`excluded.entries`,
          head: sql`excluded.head`,
          evaluatedTier: sql`excluded.evaluated_tier`,
          evaluatedAt: sql`excluded.evaluated_at`,
        },
      })
      .prepare(),
}));

export type MovementRow = typeof movement.$inferSelect;
export type AgentCreditRow = typeof agentCredit.$inferSelect;

/** Returns the balances of an account in the assets that it ever had. */
export function balancesOf(
  snapshot: Snapshot,
  kind: AccountKind,
  ownerSeq: number,
): Promise<{ asset: Asset; balance: number }[]> {
  return query(snapshot, (sql) => sql.balances.all({ kind, ownerSeq }));
}

/**
 * Returns the balances of an account in the assets that it ever had, what it was granted and earned of them, its newest movements and, for
 * an agent, the end of its journal; nothing before its first movement. One statement, because every movement reads two accounts.
 */
export function accountState(
  snapshot: Snapshot,
  kind: AccountKind,
  ownerSeq: number,
): Promise<
  {
    asset: Asset;
    balance: number;
    received: number;
    lastSeq: number | null;
    entries: number | null;
    head: string | null;
  }[]
> {
  return query(snapshot, (sql) => sql.state.all({ kind, ownerSeq }));
}

/** Returns the rows of an agent's available and locked credits. */
export function agentAccounts(
  snapshot: Snapshot,
  agentSeq: number,
): Promise<(typeof ledgerAccount.$inferSelect)[]> {
  return query(snapshot, (sql) => sql.figures.all({ agentSeq }));
}

/** What an agent's account has of one asset. */
type AccountFigures = Pick<
  typeof ledgerAccount.$inferSelect,
  'kind' | 'asset' | 'balance' | 'granted' | 'earned' | 'spent'
>;

/** One point read of ledger_account. An agent without credits has one row of nulls. The plus: see `bound` in columns.ts. */
const BY_COMMITMENT = `SELECT l.asset, l.balance, l.granted, l.earned, l.spent FROM agent a
  LEFT JOIN ledger_account l ON l.kind = 'agent' AND l.owner_seq = a.agent_seq
  WHERE a.subject_commitment = +?`;

/**
 * Returns the rows of an agent's available credits by its commitment. Balances are read more often than anything else, so this is one
 * statement without a mapping of its rows.
 * @param commitment 64 lower-case hexadecimal characters @returns null for an unknown agent
 */
export function availableByCommitment(
  snapshot: Snapshot,
  commitment: string,
): Promise<Omit<AccountFigures, 'kind'>[] | null> {
  return runQuery(snapshot, ({ sqlite }) => {
    const statement = sqlite.query<Omit<AccountFigures, 'kind'> | { asset: null }, [Uint8Array]>(
      BY_COMMITMENT,
    );
    const rows = statement.all(Uint8Array.fromHex(commitment));
    return rows.length === 0 ? null : rows.filter((row) => row.asset !== null);
  });
}

/** Inserts a movement; a trigger books it on both accounts. */
export function insertMovement(tx: Transaction, row: Omit<MovementRow, 'movementSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insertMovement.run(row));
}

/** Returns the number of the newest movement; null if there is none. */
export function newestMovementSeq(snapshot: Snapshot): Promise<number | null> {
  return query(snapshot, (sql) => sql.newest.get()?.seq ?? null);
}

/** Returns the end of an agent's journal and its evaluated tier; undefined before its first movement or evaluation. */
export function agentCreditOf(snapshot: Snapshot, agentSeq: number): Promise<AgentCreditRow | undefined> {
  return query(snapshot, (sql) => sql.credit.get({ agentSeq }));
}

/** Sets the end of an agent's journal and its evaluated tier. */
export function putAgentCredit(tx: Transaction, row: AgentCreditRow): Promise<void> {
  return query(tx, (sql) => void sql.putCredit.run(row));
}
