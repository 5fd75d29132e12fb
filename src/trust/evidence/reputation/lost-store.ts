import { agentStanding } from '../../../../db/trust/reputation.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Transaction } from '../../../platform/store/transaction.ts';
import {
  COUNTED,
  type Counted,
  type CountedItem,
  countEvidenceDay,
  failuresOf,
  markEvidence,
} from './store.ts';

const sql = sqlOf({ agentStanding });

const countRestored = sql.returning(COUNTED)`
  UPDATE agent_standing SET failure_count = failure_count + ${'failures:number'}, stale = 1,
    first_observed_at = min(coalesce(first_observed_at, ${'at:firstObservedAt'}), ${'at:firstObservedAt'}),
    last_observed_at = max(coalesce(last_observed_at, ${'at:lastObservedAt'}), ${'at:lastObservedAt'}),
    evidence_count = evidence_count + 1, lost_count = lost_count - 1,
    artifact_count = artifact_count + ${'artifacts:number'}
  WHERE agent_seq = ${'agentSeq'}`;

/** Adds to the end of an agent's chain an item that only the log has. It counts for nothing else. */
export const addLostItem = sql.run`
  UPDATE agent_standing SET lost_count = lost_count + 1, last_event_hash = ${'eventHash:lastEventHash'}
  WHERE agent_seq = ${'agentSeq'}`;

/**
 * Counts an item that only the log had, and that was sent again, on its day. The chain keeps its length.
 * @returns the new counters
 */
export function addRestored(tx: Transaction, item: Omit<CountedItem, 'eventHash'>): Promise<Counted> {
  const { agentSeq, artifacts, at } = item;
  const failures = failuresOf(item.outcome);
  return runQuery(tx, (connection) => {
    const counted = countRestored.on(connection, { agentSeq, artifacts, at, failures });
    if (counted === null) throw new Error(`agent ${agentSeq} has no counters`);
    markEvidence(connection, item);
    countEvidenceDay(connection, item);
    return counted;
  });
}
