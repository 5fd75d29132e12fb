import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { clockState } from './keeper.ts';

/** Returns what the service knows of its clock. */
export function showClock({ clockWatch }: { clockWatch: ClockWatch }) {
  const { wall, estimate, jump } = clockWatch.read();
  const doubt = clockWatch.startInDoubt;
  return {
    state: clockState({ clockWatch }),
    time: timestampOf(wall),
    set_by_seconds: jump === null ? null : Math.round(jump / 1000),
    estimate: jump === null ? null : timestampOf(estimate),
    newest_data: doubt === null ? null : timestampOf(doubt.newest),
    running_seconds: doubt === null ? null : Math.floor(doubt.ranMs / 1000),
  };
}
