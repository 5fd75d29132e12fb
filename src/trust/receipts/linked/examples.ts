import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them. */
export const examples: OperationExamples = {
  setLinked: {
    '200': {
      operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
      linked: true,
      account: '7fab090cf3ff2d6c8dcc058eacf24970e03680a80e8fce538640c88ce4039bbe',
      sequence: 1,
    },
  },
};
