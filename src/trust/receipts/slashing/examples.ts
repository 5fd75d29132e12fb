import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  listSlashingLedger: {
    '200': {
      entries: [
        {
          id: 'slash_01a2022a0cf472a0a1cf30b1c0b1d7e5',
          receipt_id: 'rcpt_01a2022a0ce875d4b0d2c1e8a5d7f0a3',
          operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
          tranche: 'SLA_BREACH',
          amount_cents: 2500,
          stake_before_cents: 50000,
          stake_after_cents: 47500,
          created_at: '2026-05-01T12:02:16.500Z',
        },
      ],
      next_cursor: null,
    },
  },
};
