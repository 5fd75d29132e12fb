import { agent } from '../../../db/trust/agents.ts';
import { agentCredit, journalOpening, ledgerAccount, movement } from '../../../db/trust/ledger.ts';
import { operator } from '../../../db/trust/operators.ts';
import { orNull, sqlOf } from '../../platform/store/sql.ts';

const sql = sqlOf({ agent, agentCredit, journalOpening, ledgerAccount, movement, operator });

/**
 * Returns the movements above `after`, up to `limit` of them, in order, with the hashes of their entries and
 * the owners of these: agents, and the pool.
 */
export const entriesAfter = sql.joined({
  movementSeq: movement.movementSeq,
  debtor: movement.debitOwner,
  debitHash: orNull(sql.bytes`coalesce(debit_hash, payer_hash)`),
  creditor: movement.creditOwner,
  creditHash: orNull(sql.bytes`credit_hash`),
  pool: sql.number`iif(debit_kind = 'pool', debit_owner, credit_owner)`,
  poolHash: orNull(sql.bytes`pool_hash`),
}).rows`FROM movement
  WHERE movement_seq > ${'after:movementSeq'} AND movement_seq <= ${'reach:movementSeq'}
  ORDER BY movement_seq LIMIT ${'limit'}`;

/** Returns the end of the journals of agents, by a list of their agent_seq and in its order. */
export const endsOfAgents = sql.joined({
  agentSeq: agentCredit.agentSeq,
  account: agent.subjectCommitment,
  entries: agentCredit.entries,
  head: sql.bytes`head`,
}).rows`FROM json_each(${'agentSeqs:list'})
  CROSS JOIN agent_credit ON agent_credit.agent_seq = value
  CROSS JOIN agent ON agent.agent_seq = value WHERE head IS NOT NULL`;

/**
 * Returns the end of the journals of pools, by a list of their operator_seq and in its order; null for a pool
 * whose only entries are its openings.
 */
export const endsOfPools = sql.joined({
  operatorSeq: operator.operatorSeq,
  account: operator.operatorId,
  entries: orNull(movement.poolEntry),
  head: orNull(sql.bytes`pool_hash`),
}).rows`FROM json_each(${'operatorSeqs:list'})
  CROSS JOIN operator ON operator.operator_seq = value
  LEFT JOIN movement ON movement_seq = (
    SELECT max(last_seq) FROM ledger_account WHERE kind = 'pool' AND owner_seq = value)`;

/** Returns the commitments of agents, by a list of their agent_seq. */
export const namesOfAgents = sql.joined({ agentSeq: agent.agentSeq, account: agent.subjectCommitment })
  .rows`FROM json_each(${'agentSeqs:list'}) CROSS JOIN agent ON agent.agent_seq = value`;

/** Returns the ids of operators, by a list of their operator_seq. */
export const namesOfOperators = sql.joined({
  operatorSeq: operator.operatorSeq,
  account: operator.operatorId,
}).rows`FROM json_each(${'operatorSeqs:list'}) CROSS JOIN operator ON operator.operator_seq = value`;

/** Returns the operators above `after` whose pools have openings, in order. */
export const openedPools = sql.joined({ operatorSeq: operator.operatorSeq, operatorId: operator.operatorId })
  .rows`FROM journal_opening JOIN operator ON operator.operator_seq = owner_seq
  WHERE kind = 'pool' AND owner_seq > ${'after:journalOpening.ownerSeq'}
  GROUP BY owner_seq ORDER BY owner_seq LIMIT ${'limit'}`;

/** Returns when the first movement above `after` was made, in milliseconds since 1970; null for none. */
export const movedAfter = sql.value(movement.createdAt)`
  WHERE movement_seq > ${'after:movementSeq'} ORDER BY movement_seq LIMIT 1`;
