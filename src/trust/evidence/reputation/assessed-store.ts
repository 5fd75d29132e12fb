import { assessedOutcome } from '../../../../db/trust/reputation.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Transaction } from '../../../platform/store/transaction.ts';
import { WINDOW_DAYS } from './score.ts';
import { countDay, dayOutcome, setStale } from './store.ts';

const sql = sqlOf({ assessedOutcome });

/** Whether an assessment counts, or counts already, or another of the window says the same. */
const isCounted = sql.exists(assessedOutcome)`
  WHERE subject_seq = ${'subjectSeq'} AND assessor_seq = ${'assessorSeq'} AND framework = ${'framework'}
    AND (evidence_seq = ${'evidenceSeq'} OR outcome = ${'outcome'} AND day > ${'after:day'} AND day < ${'before:day'})`;
const insertOutcome = sql.insert(assessedOutcome);

/** An assessment as an outcome of the assessed agent. */
export type AssessedOutcome = typeof assessedOutcome.$inferSelect;

/**
 * Counts an assessment on its day, unless another one of this assessor, agent and framework says the same in
 * the 30 days around it. @returns whether it was counted now
 */
export function addAssessment(tx: Transaction, assessed: AssessedOutcome): Promise<boolean> {
  const { subjectSeq: agentSeq, day, outcome } = assessed;
  const around = { after: day - WINDOW_DAYS, before: day + WINDOW_DAYS };
  return runQuery(tx, (connection) => {
    if (isCounted.on(connection, { ...assessed, ...around })) return false;
    insertOutcome.on(connection, assessed);
    countDay.on(connection, { agentSeq, day, ...dayOutcome(outcome, 'assessed') });
    setStale.on(connection, agentSeq);
    return true;
  });
}
