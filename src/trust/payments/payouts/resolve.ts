import { commonErrors } from '../../http/errors.ts';
import { type Administration, requirePayout, requireUnchanged } from './payout.ts';
import { confirmPayoutIn, failPayoutIn } from './queue.ts';
import { RailUnavailable } from './rail.ts';
import { openRail } from './rails.ts';
import { administeredView } from './representation.ts';
import type { PayoutState } from './store.ts';

/** What an administrator found out about a payout. */
export type Resolution =
  | { outcome: 'confirmed'; transactionHash: string }
  | { outcome: 'failed'; reason: string };

/**
 * Ends a payout that a rail submitted on a chain and may not end itself: its nodes are too few, or disagree.
 * @throws ApiError not_found; invalid_state for a payout that no chain was given, for one that has ended, and
 * while a node that responds says that it was paid in another way or may still be
 */
export async function resolvePayout(
  trust: Administration,
  withdrawalId: string,
  resolution: Resolution,
  open: typeof openRail = openRail,
) {
  const before = await trust.store.read((snapshot) => requirePayout(snapshot, withdrawalId));
  const { status, rail } = before.payout;
  if (status !== 'submitted' || rail === null || rail === 'manual') {
    throw commonErrors.invalid_state({
      message: `The withdrawal ${withdrawalId} is ${status}, and only what a rail submitted on a chain is resolved. Use countersign payouts confirm or fail for a queued one.`,
    });
  }
  const objection = await objectionTo(trust, before, resolution, open);
  if (objection !== null) {
    throw commonErrors.invalid_state({
      message: `The withdrawal ${withdrawalId} is not resolved. ${objection} If the node is wrong, remove it from evm.rpc_urls.`,
    });
  }
  const state = await trust.store.writeAsService(async (tx) => {
    const current = await requireUnchanged(tx, before);
    if (resolution.outcome === 'confirmed')
      await confirmPayoutIn(tx, trust, current, resolution.transactionHash);
    else await failPayoutIn(tx, trust, current, resolution.reason);
    return requirePayout(tx, withdrawalId);
  });
  await trust.acts.written();
  return { payout: administeredView(state, trust.policy) };
}

/**
 * Asks the nodes whether they contradict the administrator. While too few respond, only what the rail itself
 * found to have failed can be resolved.
 */
async function objectionTo(
  trust: Administration,
  state: PayoutState,
  resolution: Resolution,
  open: typeof openRail,
): Promise<string | null> {
  const paidBy = resolution.outcome === 'confirmed' ? resolution.transactionHash : null;
  try {
    const rail = await open(state.payout.rail ?? 'manual', trust);
    return (await rail.objectionTo?.(state, paidBy)) ?? null;
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error;
    return state.payout.held === 'failure' ? null : `The nodes could not be asked: ${error.message}`;
  }
}
