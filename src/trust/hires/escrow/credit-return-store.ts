import { agent } from '../../../../db/trust/agents.ts';
import { creditReturn } from '../../../../db/trust/escrow.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ agent, creditReturn });

/** Returns the first `limit` numbers of agents in the queue of returns after a number. */
export const creditReturnsAfter = sql.values(creditReturn.agentSeq)`
  WHERE agent_seq > ${'after:agentSeq'} ORDER BY agent_seq LIMIT ${'limit'}`;

/** Removes an agent from the queue of returns. */
export const removeCreditReturn = sql.run`DELETE FROM credit_return WHERE agent_seq = ${'agentSeq'}`;

/** Adds an agent to the queue of returns. */
export const insertCreditReturn = sql.insert(creditReturn, { end: 'ON CONFLICT DO NOTHING' });

/** Returns an agent by its number; null if there is none. */
export const returningAgent = sql.joined({
  agentSeq: agent.agentSeq,
  subjectCommitment: agent.subjectCommitment,
  sponsorSeq: agent.sponsorSeq,
  state: agent.state,
  frozenSince: agent.frozenSince,
  /** Whether it may still be paid for a task. */
  isOpenWorker: sql.flag`EXISTS (SELECT 1 FROM escrow
    WHERE escrow.worker_seq = agent.agent_seq AND escrow.status IN ('HELD', 'DELIVERED', 'DISPUTED'))`,
}).row`FROM agent WHERE agent_seq = ${'agentSeq'}`;
