import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { SteadyClock } from '../../../platform/time/clock.ts';
import { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { clockMarkOf, putClockMark } from './store.ts';

/**
 * A start is in doubt if its clock is later than the newest data by more than this time, in milliseconds.
 * Without witnesses, the service stays in doubt until it has run for this time.
 */
export const DOUBT_MS = 86_400_000;

/** If there are this many witnesses, as many must agree with the clock. */
const ENOUGH_WITNESSES = 2;

/** A server stores the time this often, in milliseconds. */
export const STORE_EVERY_MS = 60_000;
/** The time is stored every minute, so the newest checkpoint can be later than the stored time by as much. */
const STORED_LATE_MS = 2 * STORE_EVERY_MS;

interface Opening {
  store: Store;
  clock: SteadyClock;
  /** The number of servers of the witness policy. */
  witnessServers: number;
  readOnly: boolean;
  /**
   * Returns the date of the newest checkpoint of the open logs in milliseconds since 1970; null for none.
   */
  newestDate(snapshot: Snapshot): Promise<number | null>;
}

/**
 * Opens the watch on the clock, and finds out whether the clock fits the newest data. That a clock is in
 * doubt is stored before anything is dated by it: the next start must not take these dates for right. A clock
 * that is behind the newest data is wrong, or an earlier one was: nothing tells which.
 */
export async function openClockWatch(opening: Opening): Promise<ClockWatch> {
  const { store, clock, witnessServers, readOnly, newestDate } = opening;
  const { mark, signed } = await store.read(async (snapshot) => ({
    mark: await clockMarkOf(snapshot),
    signed: await newestDate(snapshot),
  }));
  const newest = mark === null ? signed : newestOf(mark.confirmedAt, signed);
  const witnesses = Math.min(witnessServers, ENOUGH_WITNESSES);
  const now = clock.now();
  if (newest === null || now - newest <= DOUBT_MS)
    return new ClockWatch(clock, { witnesses, behind: behindOf(newest, now) });
  // The time for which other servers ran with another clock says nothing about this one.
  const doubtedAt = mark?.doubtedAt ?? null;
  const isSameClock = doubtedAt !== null && now >= doubtedAt && now - doubtedAt <= DOUBT_MS;
  const ranMs = isSameClock ? (mark?.ranMs ?? 0) : 0;
  // The clock of the start before was in doubt too, and one of both is wrong.
  const behind = doubtedAt === null ? null : behindOf(newestOf(doubtedAt, signed), now);
  if (!readOnly) {
    // The next start must find a clock that is behind as this one does.
    const mark = { confirmedAt: newest, doubtedAt: behind === null ? now : doubtedAt, ranMs };
    await store.writeAsService((tx) => putClockMark(tx, mark));
  }
  return new ClockWatch(clock, { witnesses, behind, start: { newest, ranMs } });
}

/** Returns a time if the clock is behind it by more than two clocks may differ; else null. */
function behindOf(time: number | null, now: number): number | null {
  return time !== null && now < time - AHEAD_MS ? time : null;
}

/**
 * Returns the newest time that counts as right. A checkpoint that is much later than the stored time was
 * dated by a clock that was in doubt, or that turned out to be wrong.
 */
function newestOf(confirmedAt: number, signed: number | null): number {
  return signed !== null && signed <= confirmedAt + STORED_LATE_MS
    ? Math.max(confirmedAt, signed)
    : confirmedAt;
}
