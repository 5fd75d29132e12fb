import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { payoutBySeq } from '../queue.ts';
import type { Slot } from './follow.ts';
import { type OwnedSlot, slotsFrom, slotsOfPayout } from './store.ts';
import { hasTransferFailed } from './transfers-store.ts';

/**
 * Returns the slots of an account from a nonce on that may still be mined, by nonce. A reorganization can
 * free the nonce of a slot whose payout failed, or was paid by a later slot. This slot must never be sent
 * again, and another transaction should take its nonce.
 */
export async function liveSlotsFrom(
  snapshot: Snapshot,
  account: Pick<Slot, 'chainId' | 'sender'>,
  nonce: number,
): Promise<OwnedSlot[]> {
  const live: OwnedSlot[] = [];
  for (const slot of await slotsFrom(snapshot, account, nonce)) {
    if (await isLive(snapshot, slot)) live.push(slot);
  }
  return live;
}

async function isLive(snapshot: Snapshot, { owner, ...slot }: OwnedSlot): Promise<boolean> {
  // Coins for gas stay with the service, so it is safe to send them at any time.
  if ('transferSeq' in owner)
    return owner.purpose === 'gas' || !(await hasTransferFailed(snapshot, owner.transferSeq));
  const payout = (await payoutBySeq(snapshot, owner.payoutSeq))?.payout;
  if (payout?.status === 'confirmed') {
    const paidBy = payout.externalReference?.toLowerCase();
    return slot.attempts.some(({ hash }) => hash === paidBy);
  }
  if (payout?.status !== 'submitted') return false;
  const newest = (await slotsOfPayout(snapshot, owner.payoutSeq)).at(-1);
  return newest?.nonce === slot.nonce && newest.sender === slot.sender && newest.chainId === slot.chainId;
}
