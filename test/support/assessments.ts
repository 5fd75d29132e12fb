import type { JsonObject } from '../../src/proof/encoding/json.ts';

export const assessmentsPath = (commitment: string): string =>
  `/api/v1/passport/agents/${commitment}/assessments`;

interface Party {
  commitment: string;
}

/** Returns what an assessor signs about an agent: a pass of CC7.2 over April 2026, with some members changed. */
export function assessmentOf(assessor: Party, subject: Party, changes: JsonObject = {}): JsonObject {
  return {
    type: 'assessment',
    subject_commitment: subject.commitment,
    assessor_commitment: assessor.commitment,
    framework: 'SOC2_TYPE2',
    period: { from: '2026-04-01T00:00:00Z', to: '2026-05-01T00:00:00Z' },
    controls: [{ id: 'CC7.2', status: 'pass', evidence: 'alerts of 12 days' }],
    ...changes,
  };
}

/** Returns the request that submits an assessment. */
export function signedAssessment(
  assessor: Party & { sign: (payload: JsonObject) => string },
  subject: Party,
  changes: JsonObject = {},
) {
  const payload = assessmentOf(assessor, subject, changes);
  return { payload, signature: assessor.sign(payload) };
}
