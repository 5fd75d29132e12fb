import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them. */
export const examples: OperationExamples = {
  getAccountWallet: {
    '200': {
      operator_id: 'op_cus_DemoInvoices000000000001',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      chain: 'eip155',
      created_at: '2026-05-01T12:00:00.000Z',
    },
  },
};
