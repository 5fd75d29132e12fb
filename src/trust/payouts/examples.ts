import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** A withdrawal that waits for an administrator, as the manual rail has it. */
const withdrawal = {
  withdrawal_id: 'wdr_00000000000000000000000000000001',
  subject_commitment: '8a8e80a8ebe6992659b02949dfaac1839a3a92758ce69a3620f419441768cc73',
  amount: 500,
  usd_cents: 500,
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  reference: 'payout-2026-05',
  status: 'queued',
  rail: null,
  waiting_for: 'administrator',
  external_reference: null,
  failure_reason: null,
  receipt_id: 'rcpt_019e3a5b7c0070008f3a5b0c7d1e9a42',
  created_at: '2026-05-18T09:30:00.000Z',
  updated_at: '2026-05-18T09:30:00.000Z',
};

/** Responses of the operations, as a service answered them. */
export const examples: OperationExamples = {
  listWithdrawals: { '200': { withdrawals: [withdrawal], next_cursor: null } },
  getWithdrawal: { '200': { withdrawal } },
};
