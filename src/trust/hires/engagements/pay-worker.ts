import type { Transaction } from '../../../platform/store/transaction.ts';
import { findAgentIn } from '../../agents/agents.ts';
import { atIssueTime } from '../../log/clock/dates.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import {
  issueServiceReceiptIn,
  receiptOperatorIn,
  type ServiceReceiptContext,
} from '../../receipts/service-receipt.ts';
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

/** The parts of the service that paying a task uses. */
export type PaymentContext = EscrowContext & ServiceReceiptContext & { principals: Principals };

/**
 * Pays a DELIVERED task: issues, finalizes and logs the receipt of the service, and releases the escrow to
 * the worker with this receipt, in one transaction.
 * @throws ApiError invalid_state; clock_wrong; conflict if the worker cannot hold more credits
 */
export async function payWorkerIn(
  tx: Transaction,
  context: PaymentContext,
  state: EscrowState,
  endedBy: EscrowEnder,
): Promise<Ended> {
  const outputHash = deliveredDigest(state);
  const trust = atIssueTime(context);
  const { escrow, hirer, worker } = state;
  const hirerAgent = await findAgentIn(tx, hirer);
  const receipt = await issueServiceReceiptIn(tx, trust, {
    operator: await receiptOperatorIn(tx, trust, hirerAgent?.sponsorSeq ?? null),
    agentId: worker,
    receiptType: 'competence',
    inputDigest: escrow.inputDigest,
    outputHash,
    authorityScope: `engagement:${escrow.taskId}`,
  });
  return releaseIn(tx, trust, state, { receipt, endedBy });
}

/** Pays a DELIVERED task after its accept_by. Does nothing for other tasks, and while the clock is wrong. */
export async function payDueIn(tx: Transaction, trust: PaymentContext, escrowSeq: number): Promise<void> {
  const state = await escrowBySeq(tx, escrowSeq);
  if (state?.escrow.status !== 'DELIVERED' || trust.clockWatch.look() !== null) return;
  if (await isDueIn(tx, trust, state)) await payWorkerIn(tx, trust, state, 'service');
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
