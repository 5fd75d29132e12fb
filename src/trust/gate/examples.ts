import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service answered them; secrets are zeros. */
export const examples: OperationExamples = {
  verifyGate: {
    '200': {
      allow_invocation: true,
      reason: 'OK',
    },
  },
};
