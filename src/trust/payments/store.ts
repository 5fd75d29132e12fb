import { and, eq } from 'drizzle-orm';
import { agentPayment, settlement } from '../../../db/trust/payments.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';
import type { SettlementRail } from './settings.ts';

const query = statements((orm) => ({
  payment: () =>
    orm
      .select({ paymentSeq: agentPayment.paymentSeq })
      .from(agentPayment)
      .where(
        and(
          eq(agentPayment.agentSeq, bound(agentPayment.agentSeq, 'agentSeq')),
          eq(agentPayment.nonce, bound(agentPayment.nonce, 'nonce')),
        ),
      )
      .prepare(),
  insertPayment: () =>
    orm
      .insert(agentPayment)
      .values(everyColumn(agentPayment, ['paymentSeq']))
      .prepare(),
  settlement: () =>
    orm
      .select()
      .from(settlement)
      .where(
        and(
          eq(settlement.rail, bound(settlement.rail, 'rail')),
          eq(settlement.reference, bound(settlement.reference, 'reference')),
        ),
      )
      .prepare(),
  insertSettlement: () =>
    orm
      .insert(settlement)
      .values(everyColumn(settlement, ['settlementSeq']))
      .prepare(),
}));

export type PaymentRow = typeof agentPayment.$inferSelect;
export type SettlementRow = typeof settlement.$inferSelect;

/** Returns whether an agent has paid with a nonce before. */
export function isNonceUsed(snapshot: Snapshot, agentSeq: number, nonce: string): Promise<boolean> {
  return query(snapshot, (sql) => sql.payment.get({ agentSeq, nonce }) !== undefined);
}

/** Stores a payment. @throws DuplicateRow for a nonce that the agent has used before */
export function insertPayment(tx: Transaction, row: Omit<PaymentRow, 'paymentSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insertPayment.run(row));
}

/** Returns the settlement of a rail with a reference; null if there is none. */
export function settlementOf(
  snapshot: Snapshot,
  rail: SettlementRail,
  reference: string,
): Promise<SettlementRow | null> {
  return query(snapshot, (sql) => sql.settlement.get({ rail, reference }) ?? null);
}

/** Stores a settlement. @throws DuplicateRow for a reference that the rail has used before */
export function insertSettlement(tx: Transaction, row: Omit<SettlementRow, 'settlementSeq'>): Promise<void> {
  return query(tx, (sql) => void sql.insertSettlement.run(row));
}
