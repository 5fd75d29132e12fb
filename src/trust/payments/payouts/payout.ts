import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import type { RailContext } from './rail.ts';
import type { openRail } from './rails.ts';
import { type PayoutState, payoutById } from './store.ts';

/** The parts of the service that administering payouts uses. */
export type Administration = RailContext & { cursors: Cursors };

/** The result of asking the rail of a payout. */
interface RailVerdict {
  /** Whether the payout certainly can no longer be paid. */
  isOver: boolean;
  /** Why the rail could not be asked, as the end of a message; empty if it was asked. */
  problem: string;
}

/** Asks the rail of a submitted payout whether it can no longer be paid. Without a result, it still can. */
export async function askRail(
  trust: Administration,
  state: PayoutState,
  open: typeof openRail,
): Promise<RailVerdict> {
  const { status, rail } = state.payout;
  if (status !== 'submitted' || rail === null) return { isOver: false, problem: '' };
  try {
    return { isOver: await (await open(rail, trust)).mayFail(state), problem: '' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { isOver: false, problem: ` The rail could not be asked: ${reason}` };
  }
}

/** Returns a payout. @throws ApiError not_found */
export async function requirePayout(snapshot: Snapshot, withdrawalId: string): Promise<PayoutState> {
  const state = /^wdr_[0-9a-f]{32}$/.test(withdrawalId) ? await payoutById(snapshot, withdrawalId) : null;
  if (state !== null) return state;
  throw commonErrors.not_found({
    message: `There is no withdrawal ${withdrawalId}. See countersign payouts list.`,
  });
}

/**
 * Returns a payout that is as it was when its rail was asked, before the transaction.
 * @throws ApiError not_found; invalid_state if the rail has changed it
 */
export async function requireUnchanged(
  tx: Transaction,
  { payout: before, cut }: PayoutState,
): Promise<PayoutState> {
  const state = await requirePayout(tx, before.withdrawalId);
  const { status, attempts } = state.payout;
  if (status === before.status && attempts === before.attempts && state.cut === cut) return state;
  throw commonErrors.invalid_state({
    message: `The withdrawal ${before.withdrawalId} changed meanwhile: it was ${before.status} and is ${status}. Look at it again.`,
  });
}
