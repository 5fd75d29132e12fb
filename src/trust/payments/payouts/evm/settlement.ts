import type { Transaction } from '../../../../platform/store/transaction.ts';
import { confirmPayoutIn, failPayoutIn, type PayoutState, payoutBySeq } from '../queue.ts';
import type { RailContext } from '../rail.ts';
import { readTransaction } from './chain/transactions.ts';
import type { Progress, View } from './follow.ts';
import { outcomeOf } from './receipts.ts';
import { unitsOfTransfer } from './units.ts';

type Final = Extract<Progress, { is: 'final' }>;

/**
 * Ends a payout whose transaction is in a final block.
 * @param sender the address that signed it
 * @returns the problem, for the administrator; null without one
 * @throws RpcError
 */
export async function settle(
  trust: RailContext,
  view: View,
  { payout }: PayoutState,
  sender: string,
  { attempt, receipt }: Final,
): Promise<string | null> {
  const { payoutSeq, withdrawalId, address } = payout;
  // The signed bytes contain the token and the amount, even if the settings have changed since.
  const { to: token, data } = await readTransaction(attempt.raw);
  const outcome = outcomeOf(receipt, { token, from: sender, to: address, units: unitsOfTransfer(data) });
  if (outcome === 'paid') {
    await end(trust, payoutSeq, (tx, state) => confirmPayoutIn(tx, trust, state, attempt.hash));
    return null;
  }
  if (outcome === 'nothing') {
    // The credits return only if the node says twice, in different ways, that nothing was paid.
    const transfers = await view.chain.transfers(token, sender, address, receipt.blockHash);
    if (!transfers.some(({ transactionHash }) => transactionHash === attempt.hash)) {
      const reason = receipt.isSuccess
        ? `The token did not pay: the transaction ${attempt.hash} transferred nothing.`
        : `The token refused the transfer: the transaction ${attempt.hash} was reverted.`;
      await end(trust, payoutSeq, (tx, state) => failPayoutIn(tx, trust, state, reason));
      return null;
    }
  }
  const problem =
    outcome === 'nothing'
      ? 'has a receipt without a transfer, but its block has one'
      : 'transferred another amount than it should';
  return `The transaction ${attempt.hash} ${problem}. Look at it in a block explorer, then run countersign payouts confirm ${withdrawalId}.`;
}

/** Ends a payout, unless it has ended meanwhile. */
function end(
  { store }: Pick<RailContext, 'store'>,
  payoutSeq: number,
  act: (tx: Transaction, state: PayoutState) => Promise<void>,
): Promise<void> {
  return store.writeAsService(async (tx) => {
    const state = await payoutBySeq(tx, payoutSeq);
    if (state?.payout.status === 'submitted') await act(tx, state);
  });
}
