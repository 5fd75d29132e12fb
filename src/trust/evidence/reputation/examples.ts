import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  getLeaderboard: {
    '200': {
      agents: [
        {
          rank: 1,
          subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
          name: 'Invoice clerk',
          evidence_count: 1,
          success_rate: 1,
          failure_rate: 0,
          sample_size: 2,
          trajectory_7d: null,
          score: 34,
        },
      ],
      next_cursor: null,
      signed: true,
      type: 'leaderboard',
      as_of: '2026-05-01T12:02:16.500Z',
      valid_until: '2026-05-01T12:07:16.500Z',
      page: { limit: 50, cursor: null },
      signature:
        '76a84dcb7d777f1101fcbc5cd6e37bb8ca5b514fd6da5ac53c4034f74fd611e648d4cb6b37cb1fd69527654193f188ccb991b6375247af939e9ae008e37f9b03',
      kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
    },
  },
};
