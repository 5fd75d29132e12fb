import { commonErrors } from '../../http/errors.ts';
import { type Administration, askRail, requirePayout, requireUnchanged } from './payout.ts';
import { failPayoutIn } from './queue.ts';
import { openRail } from './rails.ts';
import { administeredView } from './representation.ts';

/**
 * Fails a payout that was not paid: its credits return to the agent.
 * @param isUnpaid whether the administrator made sure that it was not paid; needed in a restored database
 * @throws ApiError not_found; invalid_state for an ended payout, and for one that may still be paid or was
 */
export async function failPayout(
  trust: Administration,
  withdrawalId: string,
  { reason, isUnpaid }: { reason: string; isUnpaid: boolean },
  open: typeof openRail = openRail,
) {
  const before = await trust.store.read((snapshot) => requirePayout(snapshot, withdrawalId));
  const { isOver, problem } = await askRail(trust, before, open);
  const state = await trust.store.writeAsService(async (tx) => {
    const current = await requireUnchanged(tx, before);
    const { status, rail, held } = current.payout;
    if (held === 'restored' && !isUnpaid) {
      throw commonErrors.invalid_state({
        message:
          'The database is a restored backup, so the withdrawal may have been paid since the backup. Look for a payment to its address, and repeat the command with --unpaid if there is none.',
      });
    }
    if (status === 'submitted' && !isOver) {
      throw commonErrors.invalid_state({
        message: `The rail ${rail} submitted the withdrawal, which may still be paid. Wait until it is confirmed, or until none of its transactions can be paid any more.${problem}`,
      });
    }
    await failPayoutIn(tx, trust, current, reason);
    return requirePayout(tx, withdrawalId);
  });
  await trust.acts.written();
  return { payout: administeredView(state, trust.policy) };
}
