import type { ReceiptPayload } from '../../src/proof/receipt/receipt.ts';

/**
 * Returns the payload of an issued receipt, which depends only on its index.
 * @param issue the issuer, and the time (RFC 3339)
 */
export function pendingPayload(
  index: number,
  issue: Pick<ReceiptPayload, 'operator_id' | 'issued_at'>,
): ReceiptPayload {
  const hex = index.toString(16).padStart(32, '0');
  return {
    receipt_id: `rcpt_${hex}`,
    issued_at: issue.issued_at,
    operator_id: issue.operator_id,
    agent_id: `agent-${index % 97}`,
    receipt_type: 'custody',
    status: 'pending',
    input_digest: `${hex}${hex}`,
    authority_scope: 'payments:read',
    expiry: '2099-05-01T12:00:00.000Z',
    revocation_status: 'active',
    domain: 'CODE_GENERATION',
  };
}

/** Returns the payload of the finalized receipt. */
export function finalPayload(pending: ReceiptPayload): ReceiptPayload {
  return { ...pending, status: 'success', output_hash: pending.input_digest, error_tranche: 'NONE' };
}
