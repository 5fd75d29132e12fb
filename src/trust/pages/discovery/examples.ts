import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  getHealth: {
    '200': {
      status: 'ok',
      service: 'trust',
      version: '0.1.0',
      problems: [],
    },
    '503': {
      status: 'degraded',
      service: 'trust',
      version: '0.1.0',
      problems: ['Leaves of receipts wait for their checkpoint.'],
    },
  },
};
