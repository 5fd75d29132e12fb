import { outcomeMember, type Receipt, type ReceiptPayload } from '../../proof/receipt/receipt.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import type { ReceiptState } from './store.ts';

/** The signed columns of a version. */
type VersionFields = Pick<
  ReceiptState['current'],
  'status' | 'revocationStatus' | 'outputHash' | 'reason' | 'errorTranche'
>;

/** The signed columns of a receipt. */
type ReceiptFields = Omit<ReceiptState['receipt'], 'receiptSeq' | 'prevReceiptSeq' | 'chainDepth'>;

/** Builds the signed members of section 2.1 from stored rows. */
export function receiptPayload({
  receipt,
  operatorId,
  current,
}: Pick<ReceiptState, 'operatorId'> & { receipt: ReceiptFields; current: VersionFields }): ReceiptPayload {
  const payload: ReceiptPayload = {
    receipt_id: receipt.receiptId,
    issued_at: receipt.issuedAt,
    operator_id: operatorId,
    agent_id: receipt.agentId,
    receipt_type: receipt.receiptType,
    status: current.status,
    input_digest: receipt.inputDigest,
    authority_scope: receipt.authorityScope,
    expiry: receipt.expiry,
    revocation_status: current.revocationStatus,
  };
  const member = outcomeMember(current.status);
  const outcome = member === 'output_hash' ? current.outputHash : current.reason;
  if (member !== null && outcome !== null) payload[member] = outcome;
  if (receipt.prevReceiptHash !== null) payload.prev_receipt_hash = receipt.prevReceiptHash;
  if (receipt.domainCommitment === null) payload.domain = receipt.domain;
  else payload.domain_commitment = receipt.domainCommitment;
  if (current.errorTranche !== null) payload.error_tranche = current.errorTranche;
  return payload;
}

/** Returns a complete receipt without a salt; a blind one does not show its domain. */
export function receiptWithoutSalt(state: ReceiptState): ReceiptWithKid {
  const { contentHash, signature } = state.current;
  return { ...receiptPayload(state), content_hash: contentHash, signature, kid: state.kid };
}

export type ReceiptWithKid = Receipt & { kid: string };

/** Returns a receipt as a key of its operator may see it: holder keys do not see the salt of a blind one. */
export function receiptForPrincipal(state: ReceiptState, { role }: Pick<Principal, 'role'>): ReceiptWithKid {
  return role === 'issuer' ? receiptWithSalt(state) : receiptWithoutSalt(state);
}

/**
 * Returns a receipt with the salt of a blind one: for issuer keys, the response to issuing, and verification.
 */
export function receiptWithSalt(state: ReceiptState): ReceiptWithKid {
  const { blindSalt } = state.receipt;
  const shared = receiptWithoutSalt(state);
  return blindSalt === null ? shared : { ...shared, blind_salt: blindSalt };
}

/** Removes the salt, a secret, from a response that is stored for replays. */
export function removeSalt<Response extends ReceiptWithKid>(response: Response): Response {
  return response.blind_salt === undefined ? response : { ...response, blind_salt: null };
}
