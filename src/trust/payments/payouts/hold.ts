import { commonErrors } from '../../http/errors.ts';
import { type Administration, requirePayout } from './payout.ts';
import { administeredView } from './representation.ts';
import { freePayouts, heldPayouts, setHeld } from './store.ts';

/** The payouts that one transaction holds or releases. */
const BATCH = 500;

/**
 * Stops rails from beginning to pay an open payout, or from paying it with further transactions.
 * @throws ApiError not_found, invalid_state
 */
export function holdPayout(trust: Administration, withdrawalId: string) {
  return changeHold(trust, withdrawalId, 'administrator');
}

/** Lets rails pay a held payout. @throws ApiError not_found, invalid_state */
export function releasePayout(trust: Administration, withdrawalId: string) {
  return changeHold(trust, withdrawalId, null);
}

/**
 * Holds all open payouts that are not held, or releases all that are, in bounded transactions.
 * @returns how many
 */
export async function changeAllHolds(trust: Administration, hold: 'administrator' | null) {
  const openPayouts = hold === null ? heldPayouts : freePayouts;
  let payouts = 0;
  for (let after = 0; ; ) {
    const start = after;
    const seqs = await trust.store.writeAsService(async (tx) => {
      const payoutSeqs = await openPayouts(tx, { after: start, limit: BATCH });
      const updatedAt = trust.clock.now();
      for (const payoutSeq of payoutSeqs) await setHeld(tx, { payoutSeq, held: hold, updatedAt });
      return payoutSeqs;
    });
    payouts += seqs.length;
    const last = seqs.at(-1);
    if (last === undefined) return { payouts };
    after = last;
  }
}

function changeHold(trust: Administration, withdrawalId: string, held: 'administrator' | null) {
  return trust.store.writeAsService(async (tx) => {
    const { payout } = await requirePayout(tx, withdrawalId);
    if (payout.status !== 'queued' && payout.status !== 'submitted') {
      throw commonErrors.invalid_state({
        message: `The withdrawal ${withdrawalId} is ${payout.status}, so no rail pays it any more.`,
      });
    }
    // A payout of a restored database keeps this reason: failing it needs more care.
    if (held === null || payout.held === null)
      await setHeld(tx, { payoutSeq: payout.payoutSeq, held, updatedAt: trust.clock.now() });
    return { payout: administeredView(await requirePayout(tx, withdrawalId), trust.policy) };
  });
}
