import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses for the documentation. */
export const otlpExamples: OperationExamples = {
  exportMetrics: {
    '200': {
      partialSuccess: {
        rejectedDataPoints: '2',
        errorMessage: '2: "system.memory.usage" has no mapping.',
      },
    },
  },
};
