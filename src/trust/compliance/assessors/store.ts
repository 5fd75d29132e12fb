import { agent, agentSponsor } from '../../../../db/trust/agents.ts';
import { assessment } from '../../../../db/trust/assessors.ts';
import { evidence } from '../../../../db/trust/evidence.ts';
import { operator } from '../../../../db/trust/operators.ts';
import { orNull, sqlOf } from '../../../platform/store/sql.ts';

const sql = sqlOf({ agent, agentSponsor, assessment, evidence });

/** Adds the row of an item of evidence, unless it exists. */
export const insertAssessment = sql.run`
  INSERT INTO assessment (evidence_seq, assessor_seq, subject_seq, framework, period_from, period_to)
  SELECT evidence_seq, agent_seq, ${'subjectSeq'}, ${'framework'}, ${'periodFrom'}, ${'periodTo'} FROM evidence
  WHERE agent_seq = ${'assessorSeq'} AND event_hash = ${'eventHash'}
  ON CONFLICT (evidence_seq) DO NOTHING`;

/** Returns whether an operator sponsors an agent, or ever did. */
export const hasSponsored = sql.exists(agentSponsor)`
  WHERE agent_seq = ${'agentSeq:agentSponsor.agentSeq'} AND operator_seq = ${'operatorSeq:agentSponsor.operatorSeq'}`;

/** Assessments with their assessors as they are now. */
const rows = sql.joined({
  evidenceSeq: assessment.evidenceSeq,
  eventHash: evidence.eventHash,
  signature: evidence.signature,
  createdAt: evidence.createdAt,
  assessorCommitment: agent.subjectCommitment,
  assessorName: agent.name,
  state: agent.state,
  sponsorSeq: agent.sponsorSeq,
  sponsorStatus: orNull(operator.accountStatus),
});
const ROWS = sql.part`CROSS JOIN evidence ON evidence.evidence_seq = assessment.evidence_seq
  LEFT JOIN operator ON operator.operator_seq = agent.sponsor_seq`;

export type AssessmentRow = Awaited<ReturnType<typeof assessmentsBefore>>[number];

/** Returns the newest `limit` assessments of an agent before a position, newest first. */
export const assessmentsBefore = rows.rows`
  FROM assessment CROSS JOIN agent ON agent.agent_seq = assessment.assessor_seq ${ROWS}
  WHERE subject_seq = ${'subjectSeq'} AND assessment.evidence_seq < ${'before:evidenceSeq'}
  ORDER BY assessment.evidence_seq DESC LIMIT ${'limit'}`;

/**
 * Returns the newest `limit` assessments of an agent by one assessor that are of a part of a period, newest
 * first. `leaves`: the size of the tree that must have them.
 */
export const assessmentsBy = rows.rows`
  FROM agent CROSS JOIN assessment INDEXED BY assessment_by_assessor
    ON assessment.assessor_seq = agent.agent_seq ${ROWS}
  WHERE agent.subject_commitment = ${'assessor:agent.subjectCommitment'} AND subject_seq = ${'subjectSeq'}
    AND framework = ${'framework'} AND assessment.evidence_seq <= ${'leaves:number'}
    AND period_from < ${'to:periodFrom'} AND period_to > ${'from:periodTo'}
  ORDER BY assessment.evidence_seq DESC LIMIT ${'limit'}`;

/** Returns the number and the time of the newest assessment of an agent by one assessor; null for none. */
export const newestAssessment = sql.joined({
  evidenceSeq: assessment.evidenceSeq,
  createdAt: evidence.createdAt,
}).row`FROM agent CROSS JOIN assessment INDEXED BY assessment_by_assessor
    ON assessment.assessor_seq = agent.agent_seq
  CROSS JOIN evidence ON evidence.evidence_seq = assessment.evidence_seq
  WHERE agent.subject_commitment = ${'assessor:agent.subjectCommitment'} AND subject_seq = ${'subjectSeq'}
  ORDER BY assessment.evidence_seq DESC LIMIT 1`;
