import { agentPayment, settlement } from '../../../db/trust/payments.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ agentPayment, settlement });

export type SettlementRow = typeof settlement.$inferSelect;

/** Returns whether an agent has paid with a nonce before. */
export const isNonceUsed = sql.exists(agentPayment)`WHERE agent_seq = ${'agentSeq'} AND nonce = ${'nonce'}`;

/** Stores a payment. @throws DuplicateRow for a nonce that the agent has used before */
export const insertPayment = sql.insert(agentPayment, { without: ['paymentSeq'] });

/** Returns the settlement of a rail with a reference; null if there is none. */
export const settlementOf = sql.row(settlement)`WHERE rail = ${'rail'} AND reference = ${'reference'}`;

/** Stores a settlement. @throws DuplicateRow for a reference that the rail has used before */
export const insertSettlement = sql.insert(settlement, { without: ['settlementSeq'] });
