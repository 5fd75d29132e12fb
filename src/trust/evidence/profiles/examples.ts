import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  getProfile: {
    '200': {
      subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
      state: 'ISSUED',
      name: 'Invoice clerk',
      presentation: {
        photo_url: 'https://agents.example/clerk.png',
        photo_content_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        photo_mime_type: 'image/png',
      },
      totals: {
        evidence_count: 1,
        artifact_count: 1,
        failure_count: 0,
        receipts_count: 1,
      },
      rolling_30d: {
        success_rate: 1,
        failure_rate: 0,
        sample_size: 2,
      },
      trajectory_7d: null,
      score: 34,
      timeline: [
        {
          event_commitment_hash: '9baa6cbb6673b66bd9eeb8fe0013aa916c74b64110d0f3e45b09d26e9c4fb719',
          source_type: 'github_commit_payload',
          outcome: 'success',
          created_at: '2026-05-01T12:02:15.500Z',
        },
      ],
      signed: true,
      type: 'agent-profile',
      as_of: '2026-05-01T12:02:16.500Z',
      valid_until: '2026-05-01T12:07:16.500Z',
      signature:
        '576e53c9a25b12b0a05e3962edf8d0b32b045723f0f5b259bf184d8fde289eea2a684ba0664c41f77d87a1f51f819e104d6a76ba32aeb4da4e19b981d806ad01',
      kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
    },
  },
};
