import { outcomeMember, type Receipt, type ReceiptPayload } from '../../proof/receipt/receipt.ts';
import type { Principal } from '../operators/principals.ts';
import type { Standing } from './store.ts';

/** A version's columns that are signed. */
type Stated = Pick<
  Standing['current'],
  'status' | 'revocationStatus' | 'outputHash' | 'reason' | 'errorTranche'
>;

/** A receipt's columns that are signed. */
type Issued = Omit<Standing['receipt'], 'receiptSeq' | 'prevReceiptSeq' | 'chainDepth'>;

/** The members of section 2.1 that are signed, from what is stored. */
export function payloadOf({
  receipt,
  operatorId,
  current,
}: Pick<Standing, 'operatorId'> & { receipt: Issued; current: Stated }): ReceiptPayload {
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
export function sharedReceipt(standing: Standing): OwnReceipt {
  const { contentHash, signature } = standing.current;
  return { ...payloadOf(standing), content_hash: contentHash, signature, kid: standing.kid };
}

export type OwnReceipt = Receipt & { kid: string };

/** A receipt as a key of its own operator sees it. A holder key does not see the salt of a blind one. */
export function ownReceipt(standing: Standing, { role }: Pick<Principal, 'role'>): OwnReceipt {
  return role === 'issuer' ? saltedReceipt(standing) : sharedReceipt(standing);
}

/** A receipt with the salt of a blind one: for its operator's issuer keys, the answer to its issue, and checks of the salt. */
export function saltedReceipt(standing: Standing): OwnReceipt {
  const { blindSalt } = standing.receipt;
  const shared = sharedReceipt(standing);
  return blindSalt === null ? shared : { ...shared, blind_salt: blindSalt };
}

/** An answer as it is kept for its replays: without its secret, the salt of a blind receipt. */
export function withoutSalt<Answer extends OwnReceipt>(answer: Answer): Answer {
  return answer.blind_salt === undefined ? answer : { ...answer, blind_salt: null };
}
