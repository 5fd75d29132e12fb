import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service answered them; secrets are zeros. */
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
    },
  },
};
