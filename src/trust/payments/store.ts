import { agent } from '../../../db/trust/agents.ts';
import { agentPayment, settlement, settlementHour, unbookedSettlement } from '../../../db/trust/payments.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ agent, agentPayment, settlement, settlementHour, unbookedSettlement });

export type SettlementRow = typeof settlement.$inferSelect;

/** Returns whether an agent has paid with a nonce before. */
export const isNonceUsed = sql.exists(agentPayment)`WHERE agent_seq = ${'agentSeq'} AND nonce = ${'nonce'}`;

/** Stores a payment. @throws DuplicateRow for a nonce that the agent has used before */
export const insertPayment = sql.insert(agentPayment, { without: ['paymentSeq'] });

/** Returns the settlement of a rail with a reference; null if there is none. */
export const settlementOf = sql.row(settlement)`WHERE rail = ${'rail'} AND reference = ${'reference'}`;

/**
 * Returns the settlement of a rail with a reference, and the digest of one that exceeded a cap; null for
 * none. It is one statement, because every settlement asks for both.
 */
export const settlementsOf = sql.joined({
  booked: orNull(settlement),
  unbookedDigest: orNull(unbookedSettlement.bodyDigest),
}).row`FROM (SELECT ${'rail:settlement.rail'} AS rail, ${'reference:settlement.reference'} AS reference)
  LEFT JOIN settlement USING (rail, reference) LEFT JOIN unbooked_settlement USING (rail, reference)`;

/**
 * Stores a settlement. @returns its number
 * @throws DuplicateRow for a reference that the rail has used before
 */
export const insertSettlement = sql.insertReturning(settlement, ['settlementSeq'], {
  without: ['settlementSeq'],
});

/** Adds credits to what a rail settled in an hour. */
export const addSettled = sql.insert(settlementHour, {
  end: 'ON CONFLICT (hour, rail) DO UPDATE SET credits = settlement_hour.credits + excluded.credits',
});

/** Reads what each rail settled in each hour from one on: at most a row an hour and rail. */
export const settledSince = sql.rows(settlementHour)`WHERE hour >= ${'hour'}`;

/** Reads the settlements from a number on, of one transaction, with their time in RFC 3339. */
export const settlementsFrom = sql.joined({
  rail: settlement.rail,
  credits: settlement.credits,
  createdAt: settlement.createdAt,
}).rows`FROM settlement WHERE settlement_seq >= ${'first:settlement.settlementSeq'} ORDER BY settlement_seq`;

/** Stores a settlement that exceeds a cap; again does nothing. */
export const insertUnbookedSettlement = sql.insert(unbookedSettlement, {
  without: ['unbookedSeq'],
  end: 'ON CONFLICT (rail, reference) DO NOTHING',
});

const withAgent = sql.joined({ unbooked: unbookedSettlement, subjectCommitment: agent.subjectCommitment });
const WITH_AGENT = sql.part`FROM unbooked_settlement CROSS JOIN agent USING (agent_seq)`;

/** Returns a settlement that exceeded a cap, with its agent; null if none did with this reference. */
export const unbookedSettlementOf = withAgent.row`${WITH_AGENT}
  WHERE rail = ${'rail:unbookedSettlement.rail'} AND reference = ${'reference:unbookedSettlement.reference'}`;

/** Reads the settlements that wait after a number, with their agents, oldest first. */
export const unbookedSettlementsAfter = withAgent.rows`${WITH_AGENT}
  WHERE unbooked_seq > ${'after:unbookedSettlement.unbookedSeq'} AND NOT EXISTS (
    SELECT 1 FROM settlement WHERE settlement.rail = unbooked_settlement.rail
      AND settlement.reference = unbooked_settlement.reference)
  ORDER BY unbooked_seq LIMIT ${'limit:number'}`;
