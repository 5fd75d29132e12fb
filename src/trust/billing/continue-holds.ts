import type { Store } from '../../platform/store/store.ts';
import { gatherIn, NeedsGathering } from '../ledger/gather.ts';
import type { BookingContext } from './booking-context.ts';
import { holdPaymentIn } from './disputes/hold.ts';
import { deletePendingHold, nextPendingHold } from './report-store.ts';
import { toldIn } from './told.ts';

type HoldsContext = BookingContext & { store: Store };

/** The most transactions of one call. The scheduled task does what is left. */
const MOST_SLICES = 1000;

/**
 * Holds and releases the credits of disputed payments that one transaction could not: at most 50 lots in
 * each further one, so that requests are served between them.
 */
export async function continueHolds(trust: HoldsContext): Promise<void> {
  for (let slices = 0; slices < MOST_SLICES; slices += 1) {
    // Most events leave nothing to do, and need no transaction of a writer to see it.
    if ((await trust.store.read(nextPendingHold)) === null) return;
    await trust.store.writeAsService(async (tx) => {
      const payment = (await nextPendingHold(tx))?.payment ?? null;
      if (payment === null) return;
      const { paymentIntent, paymentSeq } = payment;
      if (paymentIntent === null) await deletePendingHold(tx, paymentSeq);
      else await holdPaymentIn(tx, trust, payment, await toldIn(tx, paymentIntent));
    });
  }
}

/**
 * Runs a transaction. If it needs the credits of many agents, they are brought into the pool before, in
 * transactions of their own.
 */
export async function withGathering<T>(trust: HoldsContext, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof NeedsGathering)) throw error;
      await gather(trust, error);
    }
  }
}

/** Brings credits of many agents into the pool, in bounded transactions. */
async function gather(trust: HoldsContext, { credits, reference }: NeedsGathering): Promise<void> {
  for (let left = credits.amount; left > 0; ) {
    const amount = left;
    const gathered = await trust.store.writeAsService((tx) =>
      gatherIn(tx, trust, trust.openWithdrawals, { ...credits, amount }, reference),
    );
    if (gathered === 0) return;
    left -= gathered;
  }
}
