import { agent } from '../../../../db/trust/agents.ts';
import { escrow, escrowRefund } from '../../../../db/trust/escrow.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ agent, escrow, escrowRefund });

/** An agent or an operator whose HELD escrow is refunded. */
export type RefundRow = typeof escrowRefund.$inferSelect;

/** Returns the party that was queued first after a number, or after 0; null if there is none. */
export const firstRefund = sql.row(escrowRefund)`
  WHERE refund_seq > ${'after:refundSeq'} ORDER BY refund_seq LIMIT 1`;

/** Notes the last agent of an operator that is done. */
export const advanceRefund = sql.update(escrowRefund, ['position'])`WHERE refund_seq = ${'refundSeq'}`;

/** Removes a party that is done. */
export const removeRefund = sql.run`DELETE FROM escrow_refund WHERE refund_seq = ${'refundSeq'}`;

/** Returns the numbers of the first `limit` agents of a sponsor after a number. */
export const sponsoredAgentsAfter = sql.values(agent.agentSeq)`
  WHERE sponsor_seq = ${'sponsorSeq'} AND agent_seq > ${'after:agentSeq'}
  ORDER BY agent_seq LIMIT ${'limit'}`;

const HELD_AFTER = sql.part`status = 'HELD' AND escrow_seq > ${'after:escrowSeq'}
  ORDER BY escrow_seq LIMIT ${'limit'}`;
const heldByHirer = sql.values(escrow.escrowSeq)`WHERE hirer_seq = ${'agentSeq'} AND ${HELD_AFTER}`;
const heldByWorker = sql.values(escrow.escrowSeq)`WHERE worker_seq = ${'agentSeq'} AND ${HELD_AFTER}`;

/** Returns the first `limit` numbers of an agent's HELD escrow after a number, on either side. */
export function heldAfter(
  snapshot: Snapshot,
  range: { agentSeq: number; after: number; limit: number },
): Promise<number[]> {
  return runQuery(snapshot, (connection) =>
    [...heldByHirer.on(connection, range), ...heldByWorker.on(connection, range)]
      .sort((one, other) => one - other)
      .slice(0, range.limit),
  );
}
