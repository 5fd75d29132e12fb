import type { Snapshot } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import { type Administration, askRail, requirePayout, requireUnchanged } from './payout.ts';
import { confirmPayoutIn } from './queue.ts';
import { openRail } from './rails.ts';
import { administeredView } from './representation.ts';
import { isTransactionOf, type PayoutState, setSubmitted } from './store.ts';

/**
 * Confirms that a payout was paid. A payout that was confirmed with the same reference stays as it is.
 * @param reference names the payment; it is a transaction hash for a payout that the evm rail submitted
 * @throws ApiError not_found; invalid_state for an ended payout, for one that a rail may still pay, and for a
 * queued one that a rail could begin to pay meanwhile
 */
export async function confirmPayout(
  trust: Administration,
  withdrawalId: string,
  reference: string,
  open: typeof openRail = openRail,
) {
  const before = await trust.store.read((snapshot) => requirePayout(snapshot, withdrawalId));
  const { isOver, problem } = await askRail(trust, before, open);
  const state = await trust.store.writeAsService(async (tx) => {
    const current = await requireUnchanged(tx, before);
    const { payout } = current;
    if (payout.status === 'confirmed' && payout.externalReference === reference) return current;
    if (payout.status === 'queued') {
      if (payout.held === null && trust.policy.payoutRail !== 'manual') {
        throw commonErrors.invalid_state({
          message: `The rail ${trust.policy.payoutRail} may pay the withdrawal at any moment. Run countersign payouts hold ${withdrawalId} before you pay it in another way.`,
        });
      }
      await setSubmitted(tx, {
        payoutSeq: payout.payoutSeq,
        rail: 'manual',
        updatedAt: trust.clock.now(),
      });
    } else if (
      payout.status === 'submitted' &&
      !isOver &&
      !(await namesTransaction(tx, current, reference))
    ) {
      throw commonErrors.invalid_state({
        message: `The rail ${payout.rail} may still pay the withdrawal, and ${reference} is none of its transactions. Give the hash of the transaction that paid it.${problem}`,
      });
    }
    await confirmPayoutIn(tx, trust, await requirePayout(tx, withdrawalId), reference);
    return requirePayout(tx, withdrawalId);
  });
  await trust.acts.written();
  return { payout: administeredView(state, trust.policy) };
}

function namesTransaction(tx: Snapshot, { payout }: PayoutState, reference: string): Promise<boolean> {
  const [, hash] = /^0x([0-9a-f]{64})$/i.exec(reference) ?? [];
  return hash === undefined
    ? Promise.resolve(false)
    : isTransactionOf(tx, { payoutSeq: payout.payoutSeq, txHash: hash.toLowerCase() });
}
