import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** A domain without finalized receipts. */
const untried = {
  reason: 'ZERO_TENANCY_REJECT',
  receipts: 0,
  breaches: 0,
  breaches_until_denied: 10,
  denies_at: null,
  lifts_at: null,
};

/** A domain in which the gate allows the operator to act. */
const passing = {
  reason: 'OK',
  receipts: 2,
  breaches: 0,
  breaches_until_denied: 8,
  denies_at: null,
  lifts_at: null,
};

/** Responses of the operations, as a service returned them; secrets are zeros. */
export const examples: OperationExamples = {
  getOperatorStatus: {
    '200': {
      operator_id: 'op_cus_ZqKRHEFpiKRJbPSeMSPOHwEl',
      name: null,
      accountStatus: 'ACTIVE',
      plan: 'FREE',
      credits: 1000000,
      tier: 'FULL',
      stakeBalanceCents: 0,
      apiKeyCount: 1,
      receiptCount: 3,
      created_at: '2026-05-01T12:00:00.000Z',
      gate: {
        sla: {
          window_days: 30,
          share_percent: 10,
          minimum_receipts: 10,
          newest: 20,
        },
        domains: [
          {
            domain: 'FINANCIAL_CLEARING',
            verify: untried,
            issue: untried,
          },
          {
            domain: 'CUSTOMER_SUPPORT',
            verify: untried,
            issue: untried,
          },
          {
            domain: 'CODE_GENERATION',
            verify: passing,
            issue: passing,
          },
          {
            domain: 'SYSTEM_INTEGRATION',
            verify: untried,
            issue: untried,
          },
        ],
      },
      quota: {
        writes_per_minute: {
          used: 9,
          limit: null,
        },
        stored_bytes: {
          used: 2816,
          limit: null,
        },
        webhooks: {
          used: 0,
          limit: 100,
        },
      },
    },
  },
};
