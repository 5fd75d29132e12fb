import { and, eq, max } from 'drizzle-orm';
import { agentCredit, ledgerAccount, movement } from '../../../db/trust/ledger.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';
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
}));

export type MovementRow = typeof movement.$inferSelect;
type AgentCreditRow = typeof agentCredit.$inferSelect;

/** Returns the balances of an account in the assets that it ever had. */
export function balancesOf(
  snapshot: Snapshot,
  kind: AccountKind,
  ownerSeq: number,
): Promise<{ asset: Asset; balance: number }[]> {
  return query(snapshot, (sql) => sql.balances.all({ kind, ownerSeq }));
}

/** Returns the number of the newest movement; null if there is none. */
export function newestMovementSeq(snapshot: Snapshot): Promise<number | null> {
  return query(snapshot, (sql) => sql.newest.get()?.seq ?? null);
}

/** Returns the end of an agent's journal and its tier; null before its first movement or evaluation. */
export function agentCreditOf(snapshot: Snapshot, agentSeq: number): Promise<AgentCreditRow | null> {
  return query(snapshot, (sql) => sql.credit.get({ agentSeq }) ?? null);
}
