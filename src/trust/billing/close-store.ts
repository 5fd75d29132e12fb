import { agent } from '../../../db/trust/agents.ts';
import { escrow } from '../../../db/trust/escrow.ts';
import { ledgerAccount } from '../../../db/trust/ledger.ts';
import { payout } from '../../../db/trust/payouts.ts';
import { sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ agent, escrow, ledgerAccount, payout });

const LIMIT = sql.part`LIMIT ${'limit'}`;

/** Returns the commitments of up to `limit` agents that an operator sponsors and that are not revoked. */
export const sponsoredAgents = sql.values(agent.subjectCommitment)`
  WHERE sponsor_seq = ${'operatorSeq:agent.sponsorSeq'} AND state <> 'REVOKED' ${LIMIT}`;

/** Returns up to `limit` agents of an operator that have credits, revoked ones included. */
export const agentsWithCredits = sql.values(agent.subjectCommitment)`
  WHERE sponsor_seq = ${'operatorSeq:agent.sponsorSeq'} AND EXISTS (
    SELECT 1 FROM ledger_account WHERE kind IN ('agent', 'locked') AND owner_seq = agent_seq AND balance > 0
  ) ${LIMIT}`;

/** Returns the task_ids of up to `limit` open engagements of an operator's agents. */
export const openTasks = sql.values(sql.text`task_id`)`
  FROM escrow WHERE status IN ('HELD', 'DELIVERED', 'DISPUTED') AND (
    hirer_seq IN (SELECT agent_seq FROM agent WHERE sponsor_seq = ${'operatorSeq:agent.sponsorSeq'})
    OR worker_seq IN (SELECT agent_seq FROM agent WHERE sponsor_seq = ${'operatorSeq:agent.sponsorSeq'})
  ) ${LIMIT}`;

/** Returns the ids of up to `limit` open withdrawals of an operator's agents. */
export const openWithdrawals = sql.values(payout.withdrawalId)`
  JOIN agent USING (agent_seq)
  WHERE sponsor_seq = ${'operatorSeq:agent.sponsorSeq'} AND status IN ('queued', 'submitted') ${LIMIT}`;
