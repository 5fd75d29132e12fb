import type { Transaction } from '../../../platform/store/transaction.ts';
import { type AssessedOutcome, addAssessment } from './assessed-store.ts';
import type { CountingContext } from './evaluate.ts';
import { dayOf } from './score.ts';

/**
 * Counts an assessment as a corroborated outcome of the assessed agent, at most one of each outcome for each
 * assessor and framework in 30 days. It changes the score, and no rate.
 * @param assessed whose assessor is listed and independent of the agent; `at` is RFC 3339
 */
export async function countAssessmentIn(
  tx: Transaction,
  { credentialCache }: CountingContext,
  { agentSeq, subjectCommitment }: { agentSeq: number; subjectCommitment: string },
  { at, ...assessed }: Omit<AssessedOutcome, 'subjectSeq' | 'day'> & { at: string },
): Promise<void> {
  const outcome = { ...assessed, subjectSeq: agentSeq, day: dayOf(Date.parse(at)) };
  if (await addAssessment(tx, outcome)) credentialCache.changedIn(tx, subjectCommitment);
}
