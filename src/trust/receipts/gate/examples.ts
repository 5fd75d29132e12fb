import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  verifyGate: {
    '200': {
      operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
      domain: 'CODE_GENERATION',
      allow_invocation: true,
      reason: 'OK',
      signed: true,
      type: 'gate-decision',
      as_of: '2026-05-01T12:02:16.500Z',
      valid_until: '2026-05-01T12:07:16.500Z',
      signature:
        'd6c2d26f2e6d749ea8ba32e5d6db2187fb3197cff5f8a437745ea83d567f493b0750a639e0c9e8cae64c01c00e20e8ec39ebd94f2510f855f78f239433883c01',
      kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
    },
  },
};
