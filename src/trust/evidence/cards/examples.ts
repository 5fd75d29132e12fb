import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
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
        '77e9db92e8c0fba81a0febb8c9e00551cd1d67d7dacefd68710a082c23642dcaa746d30456e9ef49ddb690cf37aaf23519a0d8d0c38312f50554a2f74366d40d',
      kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
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
        '11f6a83f02a4f115b6e638241233fa56b45dd6f2c2352fa6c9308f8f7eeea961cec732b032aa8dac1cd5b4cf76412d252a75f3650dd4b1d6bad50fd854c6580d',
      kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
    },
  },
};
