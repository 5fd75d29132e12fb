import type { LimitedLog } from '../../../platform/monitoring/log-limit.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DOUBT_MS, STORE_EVERY_MS } from './start.ts';
import { clockMarkOf, putClockMark } from './store.ts';

/** The parts of the service that keeping the time uses. */
type KeeperContext = { store: Store; clockWatch: ClockWatch; failures: LimitedLog };

type State = 'right' | 'wrong' | 'unconfirmed';

/** Returns whether the clock is right, wrong, or in doubt since the start. */
export function clockState({ clockWatch }: { clockWatch: ClockWatch }): State {
  if (clockWatch.look() !== null) return 'wrong';
  return clockWatch.startInDoubt === null ? 'right' : 'unconfirmed';
}

/**
 * Watches the clock while a server runs: logs each change of its state once, and stores the newest time that
 * counts as right.
 */
export class ClockKeeper {
  private state: State = 'right';
  private timesConfirmed = 0;
  private storedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly trust: KeeperContext) {}

  /** Looks at the clock. The scheduler calls it every second. */
  async look(): Promise<void> {
    const { clockWatch } = this.trust;
    const hasRun = (clockWatch.startInDoubt?.ranMs ?? 0) >= DOUBT_MS;
    if (!clockWatch.hasWitnesses && hasRun && clockWatch.look() === null) clockWatch.accept();
    const state = clockState(this.trust);
    const isNew = state !== this.state || clockWatch.timesConfirmed !== this.timesConfirmed;
    if (state !== this.state) this.report(state);
    this.state = state;
    if (state === 'wrong') return;
    if (!isNew && clockWatch.runningMs - this.storedAt < STORE_EVERY_MS) return;
    // A clock that was accepted by mistake must not count for ever.
    const isConfirmed = clockWatch.timesConfirmed !== this.timesConfirmed || clockWatch.runningMs >= DOUBT_MS;
    await storeTime(this.trust, isConfirmed);
    this.timesConfirmed = clockWatch.timesConfirmed;
    this.storedAt = clockWatch.runningMs;
  }

  private report(state: State): void {
    const { failures, clockWatch } = this.trust;
    const jump = clockWatch.look();
    const { fields, message } = {
      right: { fields: {}, message: 'the clock counts as right again' },
      wrong: {
        fields: { seconds: Math.round((jump ?? 0) / 1000) },
        message: `${clockWatch.isBehindStart ? 'the clock is behind the newest data' : 'the clock was set'}: nothing with a date is issued until it is right, confirmed or accepted`,
      },
      unconfirmed: {
        fields: { newest_data: timestampOf(clockWatch.startInDoubt?.newest ?? 0) },
        message: 'the clock is more than a day ahead of the newest data: nothing is done by date',
      },
    }[state];
    failures.write(`clock ${state}`, { level: 'warn', fields, message });
  }
}

/**
 * Stores the time of the clock, as right or as in doubt. Does nothing while the clock is wrong.
 * @param isConfirmed true if the time counts even if it is before the stored one
 */
export async function storeTime(
  { store, clockWatch }: { store: Store; clockWatch: ClockWatch },
  isConfirmed: boolean,
): Promise<void> {
  await store.writeAsService(async (tx) => {
    const { wall, jump } = clockWatch.read();
    if (jump !== null) return;
    const { startInDoubt } = clockWatch;
    if (startInDoubt !== null) {
      const { newest, ranMs } = startInDoubt;
      return putClockMark(tx, { confirmedAt: newest, doubtedAt: wall, ranMs: Math.floor(ranMs) });
    }
    const known = isConfirmed ? null : await clockMarkOf(tx);
    const confirmedAt = Math.max(wall, known?.confirmedAt ?? 0);
    return putClockMark(tx, { confirmedAt, doubtedAt: null, ranMs: 0 });
  });
}
