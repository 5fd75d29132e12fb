import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** An item of evidence. */
const item = {
  index: 0,
  event_commitment_hash: '9baa6cbb6673b66bd9eeb8fe0013aa916c74b64110d0f3e45b09d26e9c4fb719',
  prev_event_hash: null,
  subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
  source_type: 'github_commit_payload',
  payload_digest: '9f1cf08ef6b1f95c6e93f8be26511ed3a73bad967fc65ca1bc9c1d1da8da799f',
  outcome: 'success',
  reading: 'digest',
  created_at: '2026-05-01T12:02:15.500Z',
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  anchorEvidence: {
    '200': { ...item, duplicate: true },
    '201': { ...item, duplicate: false },
  },
  listEvidence: {
    '200': {
      evidence: [
        {
          index: 0,
          event_commitment_hash: '9baa6cbb6673b66bd9eeb8fe0013aa916c74b64110d0f3e45b09d26e9c4fb719',
          prev_event_hash: null,
          source_type: 'github_commit_payload',
          payload_digest: '9f1cf08ef6b1f95c6e93f8be26511ed3a73bad967fc65ca1bc9c1d1da8da799f',
          outcome: 'success',
          reading: 'digest',
          created_at: '2026-05-01T12:02:15.500Z',
          signature:
            '05d7b0b3703beb96e1f26cdb794fea888feafb224af3225322acfc47ab498c1c0153cad941f120d873747ff9c5f0bc2eb3565956a0f61c6fd4d54923045e340d',
          payload: {
            commit: {
              author: {
                date: '2026-05-01T12:00:00Z',
                email: 'ada@example.org',
                name: 'Ada',
              },
              message: 'Take the last line as well',
            },
            sha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
          },
        },
      ],
      next_cursor: null,
    },
  },
};
