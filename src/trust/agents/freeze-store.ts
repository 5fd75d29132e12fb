import { agent, agentStandstill } from '../../../db/trust/agents.ts';
import { operator } from '../../../db/trust/operators.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ agent, agentStandstill, operator });

/** Returns what decides for how long the hires of an agent stood still; null for an unknown agent. */
export const standstillOf = sql.joined({
  frozenSince: agent.frozenSince,
  baseMs: orNull(agentStandstill.baseMs),
  since: orNull(agentStandstill.since),
  carriedOver: orNull(agentStandstill.carriedOver),
  inactiveSince: orNull(operator.inactiveSince),
  inactiveMs: orNull(operator.inactiveMs),
}).row`FROM agent LEFT JOIN agent_standstill USING (agent_seq)
  LEFT JOIN operator ON operator.operator_seq = agent.sponsor_seq
  WHERE agent.agent_seq = ${'agentSeq:agent.agentSeq'}`;

/** Stores for how long the hires of an agent stood still, before the agent itself changes. */
export const putStandstill = sql.insert(agentStandstill, {
  end: `ON CONFLICT (agent_seq) DO UPDATE
    SET base_ms = excluded.base_ms, since = excluded.since, carried_over = excluded.carried_over`,
});

/** Freezes an agent, or with nulls ends a freeze. @returns the changed agent; null if there is none */
export const updateFrozen = sql.returning(agent)`
  UPDATE agent SET frozen_since = ${'frozenSince?'}, frozen_reason = ${'frozenReason?'}
  WHERE agent_seq = ${'agentSeq:agent.agentSeq'}`;
