import { agent } from '../../../../db/trust/agents.ts';
import { escrow, escrowStep } from '../../../../db/trust/escrow.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ agent, escrow, escrowStep });

/** What the scheduler does for all hires of an agent, or of the agents of an operator. */
export type StepRow = typeof escrowStep.$inferSelect;

/** Returns the first step of a kind after a position that began by a time; null if there is none. */
export const firstStep = sql.row(escrowStep)`
  WHERE step = ${'step'} AND began <= ${'until:began'}
    AND (began, step_seq) > (${'afterBegan:began'}, ${'afterSeq:stepSeq'})
  ORDER BY began, step_seq LIMIT 1`;

/** Notes the last agent of an operator that is done. */
export const advanceStep = sql.update(escrowStep, ['position'])`WHERE step_seq = ${'stepSeq'}`;

/** Removes a step that is done. */
export const removeStep = sql.run`DELETE FROM escrow_step WHERE step_seq = ${'stepSeq'}`;

/** Returns the numbers of the first `limit` agents of a sponsor after a number. */
export const sponsoredAgentsAfter = sql.values(agent.agentSeq)`
  WHERE sponsor_seq = ${'sponsorSeq'} AND agent_seq > ${'after:agentSeq'}
  ORDER BY agent_seq LIMIT ${'limit'}`;

const AFTER = sql.part`escrow_seq > ${'after:escrowSeq'} ORDER BY escrow_seq LIMIT ${'limit'}`;
const heldParked = sql.values(escrow.escrowSeq)`
  WHERE hirer_seq = ${'agentSeq'} AND status = 'HELD' AND due_at IS NULL AND deadline IS NOT NULL AND ${AFTER}`;
const deliveredParked = sql.values(escrow.escrowSeq)`
  WHERE hirer_seq = ${'agentSeq'} AND status = 'DELIVERED' AND due_at IS NULL AND accept_by IS NOT NULL AND ${AFTER}`;
const disputedParked = sql.values(escrow.escrowSeq)`
  WHERE hirer_seq = ${'agentSeq'} AND status = 'DISPUTED' AND due_at IS NULL AND dispute_until IS NOT NULL AND ${AFTER}`;
const heldByHirer = sql.values(escrow.escrowSeq)`
  WHERE hirer_seq = ${'agentSeq'} AND status = 'HELD' AND ${AFTER}`;
const heldByWorker = sql.values(escrow.escrowSeq)`
  WHERE worker_seq = ${'agentSeq'} AND status = 'HELD' AND ${AFTER}`;

/** A range of an agent's escrow. */
export interface AgentRange {
  agentSeq: number;
  /** The escrow_seq before the range. */
  after: number;
  limit: number;
}

/**
 * Returns the first `limit` numbers of an agent's escrow in a range that a step is about: HELD escrow of
 * either side of a revoked agent, HELD hires of one that stands still, and hires that nothing looks at of
 * one that goes on.
 */
export function escrowOfStep(
  snapshot: Snapshot,
  step: StepRow['step'],
  range: AgentRange,
): Promise<number[]> {
  return runQuery(snapshot, (connection) => {
    const both =
      step === 'resumed'
        ? [heldParked, deliveredParked, disputedParked].flatMap((parked) => parked.on(connection, range))
        : [
            ...heldByHirer.on(connection, range),
            ...(step === 'revoked' ? heldByWorker.on(connection, range) : []),
          ];
    return both.sort((one, other) => one - other).slice(0, range.limit);
  });
}
