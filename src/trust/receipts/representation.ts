import { outcomeMember, type Receipt, type ReceiptPayload } from '../../proof/receipt/receipt.ts';
import type { Principal } from '../operators/auth/principals.ts';
import type { ReceiptState } from './store.ts';

/** A version's columns that are signed. */
type VersionFields = Pick<
  ReceiptState['current'],
  'status' | 'revocationStatus' | 'outputHash' | 'reason' | 'errorTranche'
>;

/** A receipt's columns that are signed. */
type ReceiptFields = Omit<ReceiptState['receipt'], 'receiptSeq' | 'prevReceiptSeq' | 'chainDepth'>;

/** The members of section 2.1 that are signed, from what is stored. */
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

/** A receipt as anyone may see it who may see it whole: a blind one keeps its domain to itself. */
export function receiptWithoutSalt(state: ReceiptState): ReceiptWithKid {
  const { contentHash, signature } = state.current;
  return { ...receiptPayload(state), content_hash: contentHash, signature, kid: state.kid };
}

export type ReceiptWithKid = Receipt & { kid: string };

/** A receipt as a key of its own operator sees it. A holder key does not see the salt of a blind one. */
export function receiptForPrincipal(state: ReceiptState, { role }: Pick<Principal, 'role'>): ReceiptWithKid {
  return role === 'issuer' ? receiptWithSalt(state) : receiptWithoutSalt(state);
}

/** A receipt with the salt of a blind one: for its operator's issuer keys, the answer to its issue, and checks of the salt. */
export function receiptWithSalt(state: ReceiptState): ReceiptWithKid {
  const { blindSalt } = state.receipt;
  const shared = receiptWithoutSalt(state);
  return blindSalt === null ? shared : { ...shared, blind_salt: blindSalt };
}

/** An answer as it is kept for its replays: without its secret, the salt of a blind receipt. */
export function removeSalt<Answer extends ReceiptWithKid>(response: Answer): Answer {
  return response.blind_salt === undefined ? response : { ...response, blind_salt: null };
}
