import { mask } from '../operators/mask.ts';
import { receiptPayload } from './representation.ts';
import type { ReceiptState } from './store.ts';

/** Returns what the public sees of a receipt first: its type, state and dates, and masked names. */
export function maskedReceipt(state: ReceiptState) {
  const { receipt, current } = state;
  const { domain, domain_commitment, operator_id, agent_id } = receiptPayload(state);
  return {
    receipt_id: receipt.receiptId,
    receipt_type: receipt.receiptType,
    status: current.status,
    issued_at: receipt.issuedAt,
    expiry: receipt.expiry,
    ...(domain === undefined ? {} : { domain }),
    ...(domain_commitment === undefined ? {} : { domain_commitment }),
    operator_id: mask(operator_id, 'op_cus_'),
    agent_id: mask(agent_id, ''),
  };
}
