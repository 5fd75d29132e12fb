import type { ReceiptPayload } from '../../src/proof/receipt/receipt.ts';

/**
 * What a receipt says when it is issued, another for each index and the same at every run.
 * @param issue who issued it, and when (RFC 3339)
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

/** What it says when it has come to its end. */
export function finalPayload(pending: ReceiptPayload): ReceiptPayload {
  return { ...pending, status: 'success', output_hash: pending.input_digest, error_tranche: 'NONE' };
}
