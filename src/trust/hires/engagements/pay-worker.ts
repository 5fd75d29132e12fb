import type { Transaction } from '../../../platform/store/transaction.ts';
import { atIssueTime } from '../../log/clock/dates.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import {
  issueServiceReceiptIn,
  receiptOperatorIn,
  type ServiceReceiptContext,
} from '../../receipts/service-receipt.ts';
import type { IssuedReceipt } from '../escrow/move-credits.ts';
import { releaseIn } from '../escrow/release.ts';
import { escrowView } from '../escrow/representation.ts';
import { isDueIn } from '../escrow/standstill.ts';
import {
  deliveredDigest,
  type Ended,
  type EscrowContext,
  type EscrowEnder,
  type EscrowState,
  escrowBySeq,
} from '../escrow/state.ts';
import { expireIn, refundIn } from '../escrow/unlock.ts';
import { withReturnReceiptIn } from './return-receipt.ts';

/** The parts of the service that paying a task uses. */
export type PaymentContext = EscrowContext & ServiceReceiptContext & { principals: Principals };

/**
 * Pays a DELIVERED or DISPUTED task: issues, finalizes and logs the receipt of the service, and releases the
 * escrow to the worker with this receipt, in one transaction.
 * @throws ApiError invalid_state; clock_wrong; conflict if the worker cannot hold more credits
 */
export async function payWorkerIn(
  tx: Transaction,
  context: PaymentContext,
  state: EscrowState,
  endedBy: EscrowEnder,
): Promise<Ended> {
  const trust = atIssueTime(context);
  return releaseIn(tx, trust, state, { receipt: await issuePaymentReceiptIn(tx, trust, state), endedBy });
}

/**
 * Issues, finalizes and logs the receipt of the service for a task that is being paid, also in part.
 * @throws ApiError invalid_state; clock_wrong
 */
export async function issuePaymentReceiptIn(
  tx: Transaction,
  context: PaymentContext,
  state: EscrowState,
): Promise<IssuedReceipt> {
  const outputHash = deliveredDigest(state);
  const trust = atIssueTime(context);
  const { escrow, hirerSponsor, worker } = state;
  return issueServiceReceiptIn(tx, trust, {
    operator: await receiptOperatorIn(tx, trust, hirerSponsor),
    agentId: worker,
    receiptType: 'competence',
    inputDigest: escrow.inputDigest,
    outputHash,
    authorityScope: `engagement:${escrow.taskId}`,
  });
}

/** Expires a HELD task after its deadline. Does nothing for other tasks, and while the clock is wrong. */
export async function expireDueIn(tx: Transaction, trust: PaymentContext, escrowSeq: number): Promise<void> {
  const ended = await expireIn(tx, trust, escrowSeq);
  if (ended !== null) await withReturnReceiptIn(tx, trust, ended);
}

/**
 * Pays a DELIVERED task after its accept_by, and ends a DISPUTED one that nobody decided in its time as the
 * setting says. Does nothing for other tasks, and while the clock is wrong.
 */
export async function endDeliveredDueIn(
  tx: Transaction,
  trust: PaymentContext,
  escrowSeq: number,
): Promise<void> {
  const state = await escrowBySeq(tx, escrowSeq);
  const status = state?.escrow.status;
  if (state === null || (status !== 'DELIVERED' && status !== 'DISPUTED')) return;
  if (trust.clockWatch.look() !== null || !(await isDueIn(tx, trust, state))) return;
  if (status === 'DISPUTED' && trust.policy.disputeDefault === 'refund')
    await withReturnReceiptIn(tx, trust, await refundIn(tx, trust, state, 'service'));
  else await payWorkerIn(tx, trust, state, 'service');
}

/** Returns the view of a payment. */
export function paymentView({ state, posted }: Ended) {
  const { receiptId, escrow } = state;
  if (receiptId === null) throw new Error(`${escrow.taskId} was paid without a receipt`);
  return {
    engagement: escrowView(state),
    payout: {
      transaction_id: posted.transactionId,
      kind: 'ESCROW_RELEASE' as const,
      amount: escrow.amount,
      to_commitment: state.worker,
      created_at: posted.createdAt,
    },
    receipt_id: receiptId,
  };
}
