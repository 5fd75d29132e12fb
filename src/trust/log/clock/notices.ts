import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';

/** What health says of a clock that was set; null for one that is right. */
export function wrongClockProblem(clockWatch: ClockWatch): string | null {
  const jump = clockWatch.look();
  if (jump === null) return null;
  const seconds = Math.round(Math.abs(jump) / 1000);
  const ways = clockWatch.hasWitnesses ? 'witnesses confirm it' : 'it is accepted';
  const what = clockWatch.isBehindStart
    ? `is ${seconds} seconds behind the newest data`
    : `was set ${jump > 0 ? 'ahead' : 'back'} by ${seconds} seconds`;
  return `The clock ${what}: no checkpoint is signed, and nothing with a date is issued, until it is right again or ${ways}. If its time is the right one, run countersign clock accept.`;
}

/**
 * What health says of a clock that is in doubt since the start; null for one that is not. The service works.
 */
export function doubtNotice(clockWatch: ClockWatch): string | null {
  const { startInDoubt } = clockWatch;
  if (startInDoubt === null) return null;
  return `The clock is more than a day ahead of the newest data (${timestampOf(startInDoubt.newest)}): nothing is deleted, expired, refunded or paid by schedule until ${waysOf(clockWatch)}. If the time is right, run countersign clock accept.`;
}

/** The lines of a start whose clock is wrong or in doubt. @param data the data directory */
export function clockAnnouncement(clockWatch: ClockWatch, data: string): string[] {
  const { jump } = clockWatch.read();
  if (jump !== null)
    return [
      '',
      `  CLOCK: it is ${Math.round(Math.abs(jump) / 1000)} seconds behind the newest data. Nothing with a date is issued until it is`,
      `  right${clockWatch.hasWitnesses ? ', or witnesses confirm it' : ''}. If the time is right:`,
      `  countersign clock accept --data ${data}`,
    ];
  const { startInDoubt } = clockWatch;
  if (startInDoubt === null) return [];
  return [
    '',
    `  CLOCK: it is more than a day ahead of the newest data (${timestampOf(startInDoubt.newest)}). Deletions, expiries,`,
    `  refunds and payments wait until ${waysOf(clockWatch)}. If the time is right:`,
    `  countersign clock accept --data ${data}`,
  ];
}

function waysOf({ hasWitnesses }: ClockWatch): string {
  return hasWitnesses ? 'witnesses confirm it' : 'the server has run for 24 hours';
}
