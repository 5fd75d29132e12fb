import { type Statement, statementsOf } from './agreement.ts';
import type { ChainView } from './chain-view.ts';
import type { Slot } from './follow.ts';
import { outcomeOfFinal, showsTransfer } from './settlement.ts';

/**
 * Returns why an administrator must not end a submitted payout, by the first node that says that it was paid
 * or may still be; null if none says so.
 * @param slots all of the payout
 * @param address the wallet that is paid
 * @param paidBy the transaction that the administrator says has paid it; null to fail it
 * @throws RpcError
 */
export async function objectionOf(
  view: ChainView,
  slots: readonly Slot[],
  address: string,
  paidBy: string | null,
): Promise<string | null> {
  for (const slot of slots) {
    for (const statement of await statementsOf(view, slot)) {
      const objection = await objectionIn(statement, slot, address, paidBy);
      if (objection !== null) return `Node ${statement.view.number} of evm.rpc_urls says that ${objection}`;
    }
  }
  return null;
}

async function objectionIn(
  { view, progress }: Statement,
  { sender, nonce }: Slot,
  address: string,
  paidBy: string | null,
): Promise<string | null> {
  if (progress.is === 'waiting') return `the nonce ${nonce} is free, so that it may still be paid.`;
  if (progress.is === 'in-block') return 'its transaction is in a block that is not final.';
  if (progress.is !== 'final' || progress.attempt.hash === paidBy) return null;
  const isPaid =
    (await outcomeOfFinal(progress, sender, address)) !== 'nothing' ||
    (await showsTransfer(view.chain, progress, sender, address));
  return isPaid ? `${progress.attempt.hash} has paid it.` : null;
}
