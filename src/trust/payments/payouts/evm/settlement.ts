import type { Transaction } from '../../../../platform/store/transaction.ts';
import { confirmPayoutIn, failPayoutIn, holdIn, type PayoutState, payoutBySeq } from '../queue.ts';
import type { RailContext } from '../rail.ts';
import { countFailureIn, countPaidIn, stoppedSince } from '../rail-state.ts';
import type { Chain } from './chain/chain.ts';
import { readTransaction } from './chain/transactions.ts';
import type { ChainView } from './chain-view.ts';
import type { Progress } from './follow.ts';
import { type Outcome, outcomeOf } from './receipts.ts';
import { unitsOfTransfer } from './units.ts';

type Final = Extract<Progress, { is: 'final' }>;

/**
 * Ends a payout whose transaction is in a final block, as more than half of the nodes say.
 * @param sender the address that signed it
 * @returns the problem, for the administrator; null without one
 * @throws RpcError
 */
export async function settle(
  trust: RailContext,
  view: ChainView,
  { payout }: PayoutState,
  sender: string,
  final: Final,
): Promise<string | null> {
  const { payoutSeq, withdrawalId, address } = payout;
  const { attempt, receipt } = final;
  const outcome = await outcomeOfFinal(final, sender, address);
  if (outcome === 'paid') {
    await end(trust, payoutSeq, async (tx, state) => {
      await confirmPayoutIn(tx, trust, state, attempt.hash);
      await countPaidIn(tx, 'evm');
    });
    return null;
  }
  if (outcome === 'nothing') {
    // The credits return only if the nodes say twice, in different ways, that nothing was paid.
    const shown = await view.chain.values((chain) => showsTransfer(chain, final, sender, address));
    if (shown.filter((isShown) => !isShown).length >= view.needed) {
      const reason = receipt.isSuccess
        ? `The token did not pay: the transaction ${attempt.hash} transferred nothing.`
        : `The token refused the transfer: the transaction ${attempt.hash} was reverted.`;
      await fail(trust, view, payoutSeq, reason);
      return null;
    }
  }
  const problem =
    outcome === 'nothing'
      ? 'has a receipt without a transfer, but its block has one'
      : 'transferred another amount than it should';
  return `The transaction ${attempt.hash} ${problem}. Look at it in a block explorer, then run countersign payouts confirm ${withdrawalId}.`;
}

/**
 * Returns the effect of a final transaction by its receipt. The signed bytes contain the token and the
 * amount, even if the settings have changed since.
 */
export async function outcomeOfFinal(
  { attempt, receipt }: Final,
  sender: string,
  address: string,
): Promise<Outcome> {
  const { to: token, data } = await readTransaction(attempt.raw);
  return outcomeOf(receipt, { token, from: sender, to: address, units: unitsOfTransfer(data) });
}

/** Returns whether a node shows a transfer in the events of the block. @throws RpcError */
export async function showsTransfer(
  chain: Chain,
  { attempt, receipt }: Final,
  sender: string,
  address: string,
): Promise<boolean> {
  const { to: token } = await readTransaction(attempt.raw);
  const transfers = await chain.transfers(token, sender, address, receipt.blockHash);
  return transfers.some(({ transactionHash }) => transactionHash === attempt.hash);
}

/**
 * Returns the credits of a payout that the chain finally refused. With one node, and while the rail is
 * stopped, it waits for the administrator instead: the next lie would return the next credits.
 */
function fail(
  trust: RailContext,
  { size }: Pick<ChainView, 'size'>,
  payoutSeq: number,
  reason: string,
): Promise<void> {
  return end(trust, payoutSeq, async (tx, state) => {
    const isStopped = (await stoppedSince(tx, 'evm')) !== null;
    if (size > 1 && !isStopped) {
      await failPayoutIn(tx, trust, state, reason);
      return countFailureIn(tx, trust, 'evm');
    }
    const { withdrawalId, held, lastError } = state.payout;
    const text = `${reason} ${toResolve(withdrawalId)}`;
    if (held !== null && lastError === text) return;
    await holdIn(tx, trust, state, 'failure', text);
    if (held !== 'failure' && !isStopped) await countFailureIn(tx, trust, 'evm');
  });
}

/** Returns what an administrator does about a payout that the rail may not end. */
export function toResolve(withdrawalId: string): string {
  return `The credits stay reserved: look at it in a block explorer, then run countersign payouts resolve ${withdrawalId}.`;
}

/** Ends a payout, unless it has ended meanwhile. */
async function end(
  { store, acts }: Pick<RailContext, 'store' | 'acts'>,
  payoutSeq: number,
  act: (tx: Transaction, state: PayoutState) => Promise<void>,
): Promise<void> {
  await store.writeAsService(async (tx) => {
    const state = await payoutBySeq(tx, payoutSeq);
    if (state?.payout.status === 'submitted') await act(tx, state);
  });
  await acts.written();
}
