import type { Transaction } from '../../../platform/store/transaction.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import type { ReceiptType } from '../../../proof/receipt/receipt.ts';
import type { TrustContext } from '../../context.ts';
import { logReceiptIn } from '../log/leaves.ts';
import { receiptPayload } from '../representation.ts';
import { insertServiceReceipt, type NewReceipt, setFinalized } from '../store.ts';
import { PENDING, storeIssuedIn } from './issue.ts';
import { signPayload, signVersionIn } from './sign.ts';

/** The parts of the service that issuing a receipt by itself uses. */
export type ServiceReceiptContext = Pick<TrustContext, 'store' | 'clock' | 'ids' | 'signer' | 'log'>;

/** What the service states about something that it booked or took in. */
export interface ServiceStatement {
  /** The operator in whose name the receipt is issued. */
  operator: { operatorSeq: number; operatorId: string };
  /** An agent's commitment, or the id of what the statement is about; 1 to 256 characters without control characters. */
  agentId: string;
  receiptType: ReceiptType;
  /** Digests of 64 hexadecimal characters. */
  inputDigest: string;
  outputHash: string;
  /** 1 to 256 characters without control characters. */
  authorityScope: string;
}

/** A receipt in a transaction. */
export interface IssuedReceipt {
  receiptSeq: number;
  receiptId: string;
}

/** How long a receipt of the service is valid, in years. */
const VALID_YEARS = 10;

/**
 * Issues a receipt of the service itself and finalizes it as a success, with its leaf in the log of receipts. It costs nothing, no gate
 * refuses it, and it counts neither for the gate nor for the reputation of its agent: no operator stated it.
 */
export async function issueServiceReceiptIn(
  tx: Transaction,
  trust: ServiceReceiptContext,
  { operator, ...statement }: ServiceStatement,
): Promise<IssuedReceipt> {
  const { clock, ids, signer, log } = trust;
  const { operatorSeq, operatorId } = operator;
  const receiptId = ids.newId('rcpt_');
  const now = clock.now();
  const issuedAt = timestamp({ now: () => now });
  const row: NewReceipt = {
    ...statement,
    receiptId,
    operatorSeq,
    issuedAt,
    expiry: yearsAfter(now, VALID_YEARS),
    domain: 'SYSTEM_INTEGRATION',
    domainCommitment: null,
    blindSalt: null,
    prevReceiptHash: null,
    prevReceiptSeq: null,
    chainDepth: 0,
  };
  const receipt = { ...row, status: PENDING.status, revocationStatus: PENDING.revocationStatus, version: 1 };
  const issued = signPayload(signer, receiptPayload({ receipt, operatorId, current: PENDING }));
  const receiptSeq = await storeIssuedIn(tx, trust, row, issued);
  await insertServiceReceipt(tx, receiptSeq);

  const finalized = await setFinalized(tx, operatorSeq, receiptId, 'success');
  if (finalized === null) throw new Error(`the new receipt ${receiptId} cannot be finalized`);
  const { version } = finalized;
  const outcome = {
    receiptSeq,
    version,
    status: 'success' as const,
    revocationStatus: 'active' as const,
    outputHash: statement.outputHash,
    reason: null,
    errorTranche: 'NONE' as const,
    revocationReason: null,
  };
  const payload = receiptPayload({ receipt, operatorId, current: outcome });
  const { current, kid } = await signVersionIn(tx, signer, outcome, payload, issuedAt);
  const { contentHash: content_hash, signature } = current;
  const entry = { receipt_id: receiptId, content_hash, signature, kid, finalized_at: issuedAt };
  await logReceiptIn(tx, log.open.receipts, { receiptSeq, version }, entry);
  tx.afterCommit(() => log.publisher.grown('receipts'));
  return { receiptSeq, receiptId };
}

/** Returns the time `years` years after another, as RFC 3339. @param time milliseconds since 1970 */
function yearsAfter(time: number, years: number): string {
  const date = new Date(time);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date.toISOString();
}
