import { agent } from '../../../../db/trust/agents.ts';
import { escrow } from '../../../../db/trust/escrow.ts';
import { evidence, evidenceErasure } from '../../../../db/trust/evidence.ts';
import { agentCredit } from '../../../../db/trust/ledger.ts';
import { apiKey, operator } from '../../../../db/trust/operators.ts';
import { receipt } from '../../../../db/trust/receipts.ts';
import { webhook } from '../../../../db/trust/webhooks.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({
  agent,
  agentCredit,
  apiKey,
  escrow,
  evidence,
  evidenceErasure,
  operator,
  receipt,
  webhook,
});

/**
 * An operator that an agent made for itself, on the plan FREE, that nobody used since a time: by a key, or by
 * what its agents signed. Its agents have no open engagement, about which somebody may have to decide.
 */
const IS_IDLE = sql.part`self_provisioned = 1 AND plan = 'FREE' AND operator.created_at < ${'since:operator.createdAt'}
  AND NOT EXISTS (SELECT 1 FROM api_key WHERE api_key.operator_seq = operator.operator_seq
    AND (api_key.created_at >= ${'since:operator.createdAt'} OR last_used_at >= ${'since:operator.createdAt'}))
  AND NOT EXISTS (SELECT 1 FROM receipt
    WHERE receipt.operator_seq = operator.operator_seq AND issued_at >= ${'since:operator.createdAt'})
  AND NOT EXISTS (SELECT 1 FROM agent JOIN evidence ON evidence.agent_seq = agent.agent_seq
    WHERE agent.sponsor_seq = operator.operator_seq AND evidence.created_at >= ${'since:operator.createdAt'})
  AND NOT EXISTS (SELECT 1 FROM agent JOIN agent_credit ON agent_credit.agent_seq = agent.agent_seq
    WHERE agent.sponsor_seq = operator.operator_seq AND evaluated_at >= ${'sinceMs:evaluatedAt'})
  AND NOT EXISTS (SELECT 1 FROM agent WHERE agent.sponsor_seq = operator.operator_seq AND (
    EXISTS (SELECT 1 FROM escrow WHERE hirer_seq = agent.agent_seq AND status IN ('HELD', 'DELIVERED', 'DISPUTED'))
    OR EXISTS (SELECT 1 FROM escrow WHERE worker_seq = agent.agent_seq AND status IN ('HELD', 'DELIVERED', 'DISPUTED'))))`;

/** Returns the idle operators of a range of numbers. */
export const idleOperators = sql.joined({
  operatorSeq: operator.operatorSeq,
  operatorId: operator.operatorId,
}).rows`FROM operator WHERE operator_seq > ${'after:operatorSeq'} AND operator_seq <= ${'through:operatorSeq'}
  AND ${IS_IDLE} ORDER BY operator_seq`;

/** Returns whether an operator is idle. */
export const isIdle = sql.exists(operator)`WHERE operator_seq = ${'operatorSeq'} AND ${IS_IDLE}`;

/** Returns the number of the newest operator; null for none. */
export const newestOperator = sql.value(operator.operatorSeq)`ORDER BY operator_seq DESC LIMIT 1`;

/** Returns the SHA-256 of the first `limit` keys of an operator. */
export const keyHashesOf = sql.values(apiKey.keyHash)`WHERE operator_seq = ${'operatorSeq'} LIMIT ${'limit'}`;

/** Returns the webhooks of an operator. */
export const webhooksOf = sql.rows(webhook)`WHERE operator_seq = ${'operatorSeq'}`;

/**
 * Returns the agents of an operator whose payloads are not all deleted, with the position up to which they
 * are.
 */
export const agentsWithPayloads = sql.joined({
  agentSeq: agent.agentSeq,
  erased: sql.number`coalesce(through_position, 0)`,
  newest: sql.number`(SELECT max(position) FROM evidence WHERE evidence.agent_seq = agent.agent_seq)`,
}).rows`FROM agent LEFT JOIN evidence_erasure ON evidence_erasure.agent_seq = agent.agent_seq
  WHERE sponsor_seq IS NOT NULL AND sponsor_seq = ${'operatorSeq:agent.sponsorSeq'} AND coalesce(through_position, 0) < coalesce(
    (SELECT max(position) FROM evidence WHERE evidence.agent_seq = agent.agent_seq), 0)
  LIMIT ${'limit'}`;

/** Stores up to which position the payloads of an agent are deleted. */
export const putErasure = sql.insert(evidenceErasure, {
  end: `ON CONFLICT (agent_seq) DO UPDATE
    SET through_position = excluded.through_position, erased_at = excluded.erased_at`,
});

/** Deletes the payloads of an agent's items in a range of positions, but those of assessments. */
export const erasePayloads = sql.run`UPDATE evidence SET payload = x''
  WHERE agent_seq = ${'agentSeq'} AND position > ${'after:evidence.position'} AND position <= ${'through:evidence.position'}
    AND source_type <> 'assessment'`;
