import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  getHealth: {
    '200': {
      status: 'ok',
      service: 'staffing',
      version: '0.1.0',
      problems: [],
    },
    '503': {
      status: 'degraded',
      service: 'staffing',
      version: '0.1.0',
      problems: ['The file of the registry that is served was removed or replaced.'],
    },
  },
};
