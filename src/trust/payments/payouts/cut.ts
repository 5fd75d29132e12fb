import type { Transaction } from '../../../platform/store/transaction.ts';
import { creditsOf, lockedOf } from '../../ledger/accounts.ts';
import type { OpenWithdrawals } from '../../ledger/hold.ts';
import { postIn } from '../../ledger/post.ts';
import { type EndContext, failPayoutIn, restOf } from './queue.ts';
import { insertCut, type PayoutState, payoutByLock } from './store.ts';

/** Why a withdrawal fails when a dispute or a refund takes all of it. Its owner sees it. */
const DISPUTED =
  'The payment that bought the credits is disputed or was refunded. They returned to the agent, and are held or taken back.';

/** Returns the withdrawals that disputes and refunds take parts from. */
export const openWithdrawalsOf = ({ events }: Pick<EndContext, 'events'>): OpenWithdrawals => ({
  async stateIn(tx, lock) {
    const status = (await payoutByLock(tx, lock))?.payout.status;
    if (status === undefined) return null;
    return status === 'queued' ? 'queued' : 'begun';
  },
  async cutIn(tx, ledger, lock, amount, paymentSeq) {
    const state = await payoutByLock(tx, lock);
    if (state === null) throw new Error(`there is no withdrawal with the lock ${lock}`);
    await cutPayoutIn(tx, { ...ledger, events }, state, amount, paymentSeq);
  },
});

/**
 * Returns a part of the credits of a queued payout to its agent, so that the rest is paid. A payout of which
 * nothing is left fails.
 * @param paymentSeq the payment that bought the credits; null if it is not known
 */
export async function cutPayoutIn(
  tx: Transaction,
  ledger: EndContext,
  state: PayoutState,
  amount: number,
  paymentSeq: number | null,
): Promise<void> {
  const { payout, receiptId, subjectCommitment } = state;
  if (amount === restOf(state).amount) return failPayoutIn(tx, ledger, state, DISPUTED);
  const agent = { agentSeq: payout.agentSeq, subjectCommitment };
  const { transactionId } = await postIn(tx, ledger, {
    kind: 'UNLOCK',
    from: lockedOf(agent),
    to: creditsOf(agent),
    portions: { paid: amount },
    reference: payout.withdrawalId,
    lock: payout.lockTransactionId,
    receipt: { receiptSeq: payout.receiptSeq, receiptId },
    ...(paymentSeq === null ? {} : { ofPayment: paymentSeq }),
  });
  await insertCut(tx, {
    payoutSeq: payout.payoutSeq,
    paymentSeq,
    amount,
    transactionId,
    createdAt: ledger.clock.now(),
  });
}
