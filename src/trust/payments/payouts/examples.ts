import type { OperationExamples } from '../../../platform/http/openapi/openapi.ts';

/** A withdrawal that waits for an administrator, as the manual rail has it. */
const withdrawal = {
  withdrawal_id: 'wdr_00000000000000000000000000000001',
  subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
  amount: 1000,
  usd_cents: 1000,
  address: '0xa492D57EF9588Bbb92801728a9Fbd786959fA56F',
  reference: 'first withdrawal',
  status: 'queued',
  rail: null,
  waiting_for: 'administrator',
  external_reference: null,
  failure_reason: null,
  receipt_id: 'rcpt_01a206576659708da8171a99b5fde385',
  created_at: '2026-11-18T04:00:38.502Z',
  updated_at: '2026-11-18T04:00:38.502Z',
};

/** Responses of the operations, as a service returned them. */
export const examples: OperationExamples = {
  listWithdrawals: { '200': { withdrawals: [withdrawal], next_cursor: null } },
  getWithdrawal: { '200': { withdrawal } },
};
