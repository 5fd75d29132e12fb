import { and, asc, eq, gt, lte, max, sql } from 'drizzle-orm';
import { agent } from '../../../../../db/trust/agents.ts';
import { operator } from '../../../../../db/trust/operators.ts';
import { custodialWallet } from '../../../../../db/trust/wallets.ts';
import { bound } from '../../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../../platform/store/transaction.ts';

const query = statements((orm) => ({
  newest: () =>
    orm
      .select({ walletSeq: max(custodialWallet.walletSeq) })
      .from(custodialWallet)
      .prepare(),
  range: () =>
    orm
      .select({
        wallet: custodialWallet,
        hasOwner: sql<number>`CASE ${custodialWallet.ownerKind} WHEN 'operator' THEN ${operator.operatorSeq} IS NOT NULL WHEN 'agent' THEN ${agent.agentSeq} IS NOT NULL ELSE 0 END`,
      })
      .from(custodialWallet)
      .leftJoin(operator, eq(operator.operatorSeq, custodialWallet.ownerSeq))
      .leftJoin(agent, eq(agent.agentSeq, custodialWallet.ownerSeq))
      .where(
        and(
          gt(custodialWallet.walletSeq, bound(custodialWallet.walletSeq, 'after')),
          lte(custodialWallet.walletSeq, bound(custodialWallet.walletSeq, 'reach')),
        ),
      )
      .orderBy(asc(custodialWallet.walletSeq))
      .prepare(),
}));

/** Returns the number of the newest wallet; 0 if there is none. */
export function newestWallet(snapshot: Snapshot): Promise<number> {
  return query(snapshot, (sql) => sql.newest.get()?.walletSeq ?? 0);
}

/** Returns the wallets with numbers above `after` up to `reach`, in order, and whether their owners exist. */
export function walletsBetween(snapshot: Snapshot, after: number, reach: number) {
  return query(snapshot, (sql) =>
    sql.range.all({ after, reach }).map(({ wallet, hasOwner }) => ({ wallet, hasOwner: hasOwner === 1 })),
  );
}
