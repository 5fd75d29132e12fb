import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { SteadyClock } from '../../../platform/time/clock.ts';
import { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { clockMarkOf, putClockMark } from './store.ts';

/**
 * A start is in doubt if its clock is later than the newest data by more than this time, in milliseconds.
 * Without witnesses, the service stays in doubt until it has run for this time.
 */
export const DOUBT_MS = 86_400_000;

/** If there are this many witnesses, as many must agree with the clock. */
const ENOUGH_WITNESSES = 2;

interface Opening {
  store: Store;
  clock: SteadyClock;
  /** The number of servers of the witness policy. */
  witnessServers: number;
  readOnly: boolean;
  /**
   * Returns the date of the newest checkpoint in milliseconds since 1970; null for none. Read if no server
   * has stored the time yet.
   */
  newestDate(snapshot: Snapshot): Promise<number | null>;
}

/**
 * Opens the watch on the clock, and finds out whether the clock fits the newest data. That a clock is in
 * doubt is stored before anything is dated by it: the next start must not take these dates for right.
 */
export async function openClockWatch(opening: Opening): Promise<ClockWatch> {
  const { store, clock, witnessServers, readOnly, newestDate } = opening;
  const { mark, newest } = await store.read(async (snapshot) => {
    const mark = await clockMarkOf(snapshot);
    return { mark, newest: mark?.confirmedAt ?? (await newestDate(snapshot)) };
  });
  const witnesses = Math.min(witnessServers, ENOUGH_WITNESSES);
  const now = clock.now();
  if (newest === null || now - newest <= DOUBT_MS) return new ClockWatch(clock, { witnesses });
  // The time for which other servers ran with another clock says nothing about this one.
  const doubtedAt = mark?.doubtedAt ?? null;
  const isSameClock = doubtedAt !== null && now >= doubtedAt && now - doubtedAt <= DOUBT_MS;
  const ranMs = isSameClock ? (mark?.ranMs ?? 0) : 0;
  if (!readOnly) {
    await store.writeAsService((tx) => putClockMark(tx, { confirmedAt: newest, doubtedAt: now, ranMs }));
  }
  return new ClockWatch(clock, { witnesses, start: { newest, ranMs } });
}
