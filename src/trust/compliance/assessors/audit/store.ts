import { alias } from 'drizzle-orm/sqlite-core';
import { agent } from '../../../../../db/trust/agents.ts';
import { assessment } from '../../../../../db/trust/assessors.ts';
import { evidence } from '../../../../../db/trust/evidence.ts';
import { assessedOutcome } from '../../../../../db/trust/reputation.ts';
import { wrongRows } from '../../../../platform/audit/counts.ts';
import { orNull, sqlOf } from '../../../../platform/store/sql.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';

const sql = sqlOf({ assessment });

const last = sql.value(orNull(sql.number`max(evidence_seq)`))`FROM assessment`;

/** Returns the highest number of an assessment; 0 for none. */
export async function lastAssessment(snapshot: Snapshot): Promise<number> {
  return (await last(snapshot)) ?? 0;
}

/** A row with what it is compared with; null where that is missing. */
export type AuditedAssessment = Awaited<ReturnType<typeof assessmentsBetween>>[number];

/** Returns the rows with numbers above `after` up to `reach`, in ascending order. */
export const assessmentsBetween = sql.joined({
  row: assessment,
  sourceType: orNull(evidence.sourceType),
  agentSeq: orNull(evidence.agentSeq),
  payload: orNull(evidence.payload),
  subject: orNull(alias(agent, 'subject_agent').subjectCommitment),
  assessor: orNull(alias(agent, 'assessor_agent').subjectCommitment),
  counted: orNull(assessedOutcome.outcome),
  isCountedSo: sql.flag`assessed_outcome.evidence_seq IS NULL OR (
    assessed_outcome.assessor_seq = assessment.assessor_seq AND assessed_outcome.subject_seq = assessment.subject_seq
    AND assessed_outcome.framework = assessment.framework
    AND assessed_outcome.day IS unixepoch(evidence.created_at) / 86400)`,
}).rows`FROM assessment LEFT JOIN evidence ON evidence.evidence_seq = assessment.evidence_seq
  LEFT JOIN assessed_outcome ON assessed_outcome.evidence_seq = assessment.evidence_seq
  LEFT JOIN agent subject_agent ON subject_agent.agent_seq = assessment.subject_seq
  LEFT JOIN agent assessor_agent ON assessor_agent.agent_seq = assessment.assessor_seq
  WHERE assessment.evidence_seq > ${'after:evidenceSeq'} AND assessment.evidence_seq <= ${'reach:evidenceSeq'}
  ORDER BY assessment.evidence_seq`;

/** Finds up to 100 assessments in evidence that have no row. */
export const missingRows = wrongRows(
  'assessment',
  'an assessment in evidence has no row',
  sql.reported()`SELECT evidence_seq, 'a row' AS expected, NULL AS found FROM evidence
    WHERE source_type = 'assessment'
      AND NOT EXISTS (SELECT 1 FROM assessment a WHERE a.evidence_seq = evidence.evidence_seq) LIMIT 100`,
);

/** Finds up to 100 outcomes of no assessment. */
export const strayOutcomes = wrongRows(
  'assessment',
  'an outcome that counts has no assessment',
  sql.reported()`SELECT evidence_seq, 'a row' AS expected, NULL AS found FROM assessed_outcome AS o
    WHERE NOT EXISTS (SELECT 1 FROM assessment a WHERE a.evidence_seq = o.evidence_seq) LIMIT 100`,
);
