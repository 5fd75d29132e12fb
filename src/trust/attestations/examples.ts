import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service answered them; secrets are zeros. */
export const examples: OperationExamples = {
  getAgentAttestation: {
    '200': {
      type: 'agent-attestation',
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      state: 'ISSUED',
      name: 'Invoice clerk',
      totals: {
        evidence_count: 1,
        artifact_count: 1,
        failure_count: 0,
        receipts_count: 1,
      },
      rolling_30d: {
        success_rate: 1,
        failure_rate: 0,
      },
      trajectory_7d: null,
      score: 34,
      sample_size: 2,
      measured_at: '2026-05-01T12:02:16.500Z',
      valid_until: '2026-05-01T12:07:16.500Z',
      signature:
        'b49d8f04fa31529ad6a72f8ef1ca2c274b860a8950f5c850c7432dc5569dde5a9c3ab5df58bdf6cccf7f93b8d61edb62b02f838b7aa13631a545fd59616f1c00',
      kid: 'qD5wc1A-cZNaxdWpBpOdnkdjwa1kObMeVw-RUr5GAR4',
    },
  },
  getArtifactAttestation: {
    '200': {
      type: 'artifact-attestation',
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      state: 'ISSUED',
      artifact: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      artifact_kind: 'commit',
      event_commitment_hash: '9baa6cbb6673b66bd9eeb8fe0013aa916c74b64110d0f3e45b09d26e9c4fb719',
      source_type: 'github_commit_payload',
      outcome: 'success',
      anchored_at: '2026-05-01T12:02:15.500Z',
      checked_at: '2026-05-01T12:02:16.500Z',
      signature:
        '99df7e40bf8c1e71f7d8d6cf431173ac2d8efe79e434ffafc68b7b349fda3a5c33b93b65780c01cec1875f3c852edb5b52053453dab52287024c708fb033aa0f',
      kid: 'qD5wc1A-cZNaxdWpBpOdnkdjwa1kObMeVw-RUr5GAR4',
    },
  },
};
