import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { agent } from '../../../../db/trust/agents.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { custodialWallet } from '../../../../db/trust/wallets.ts';
import { bound } from '../../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../../platform/store/transaction.ts';

const $ = sql.placeholder;

type Orm = Snapshot['connection']['orm'];

/** Wallets with the names of their owners, without their keys. */
const select = (orm: Orm) =>
  orm
    .select({
      walletSeq: custodialWallet.walletSeq,
      ownerKind: custodialWallet.ownerKind,
      address: custodialWallet.address,
      createdAt: custodialWallet.createdAt,
      operatorId: operator.operatorId,
      commitment: agent.subjectCommitment,
    })
    .from(custodialWallet)
    .leftJoin(
      operator,
      and(eq(custodialWallet.ownerKind, 'operator'), eq(operator.operatorSeq, custodialWallet.ownerSeq)),
    )
    .leftJoin(
      agent,
      and(eq(custodialWallet.ownerKind, 'agent'), eq(agent.agentSeq, custodialWallet.ownerSeq)),
    )
    .$dynamic();

const query = statements((orm) => ({
  page: () =>
    select(orm)
      .where(lt(custodialWallet.walletSeq, bound(custodialWallet.walletSeq, 'before')))
      .orderBy(desc(custodialWallet.walletSeq))
      .limit($('limit'))
      .prepare(),
  ofOperator: () =>
    select(orm)
      .where(eq(operator.operatorId, bound(operator.operatorId, 'owner')))
      .prepare(),
  ofAgent: () =>
    select(orm)
      .where(eq(agent.subjectCommitment, bound(agent.subjectCommitment, 'owner')))
      .prepare(),
  byAddress: () =>
    select(orm)
      .where(eq(custodialWallet.address, bound(custodialWallet.address, 'address')))
      .prepare(),
}));

export type OwnedWallet = Awaited<ReturnType<typeof walletsBefore>>[number];

/** Returns up to `limit` wallets with numbers below `before`, newest first. */
export function walletsBefore(snapshot: Snapshot, before: number, limit: number) {
  return query(snapshot, (sql) => sql.page.all({ before, limit }));
}

/** Returns the wallet of an operator by its operator_id; null if it has none. */
export function walletOfOperator(snapshot: Snapshot, operatorId: string): Promise<OwnedWallet | null> {
  return query(snapshot, (sql) => sql.ofOperator.get({ owner: operatorId }) ?? null);
}

/** Returns the wallet of an agent; null if it has none. @param commitment 64 hexadecimal characters */
export function walletOfAgent(snapshot: Snapshot, commitment: string): Promise<OwnedWallet | null> {
  return query(snapshot, (sql) => sql.ofAgent.get({ owner: commitment }) ?? null);
}

/** Returns the custodial wallet with an address; null if there is none. @param address as EIP-55 writes it */
export function ownedWalletByAddress(snapshot: Snapshot, address: string): Promise<OwnedWallet | null> {
  return query(snapshot, (sql) => sql.byAddress.get({ address }) ?? null);
}
