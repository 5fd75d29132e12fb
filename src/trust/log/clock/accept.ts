import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { commonErrors } from '../../http/errors.ts';
import { storeTime } from './keeper.ts';
import { showClock } from './show.ts';
import { clockMarkOf, putClockMark } from './store.ts';

/**
 * Accepts the time that the clock shows as right. @throws ApiError invalid_state for a clock that is neither
 * wrong nor in doubt
 */
export async function acceptClock(context: { store: Store; clockWatch: ClockWatch }) {
  if (!context.clockWatch.accept()) {
    throw commonErrors.invalid_state({
      message:
        'The clock is neither wrong nor in doubt, so there is nothing to accept. See countersign clock show.',
    });
  }
  await storeTime(context, true);
  return showClock(context);
}

/** Lowers the stored time, if it is later than the clock, so that the next start trusts the clock. */
export function acceptEarlierTime({ store, clock }: { store: Store; clock: Clock }): Promise<void> {
  return store.writeAsService(async (tx) => {
    const now = clock.now();
    const mark = await clockMarkOf(tx);
    if (mark !== null && mark.confirmedAt > now)
      await putClockMark(tx, { confirmedAt: now, doubtedAt: null, ranMs: 0 });
  });
}
