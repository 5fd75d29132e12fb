import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';

/**
 * Returns the problem with the date of a log's newest checkpoint, and its remedy, in words that follow its
 * name. Returns null if the date is not in the future. The log cannot return to the true date: monitors take
 * a later tree with an earlier date for a rollback.
 *
 * @param now milliseconds since 1970
 */
export function futureDateProblem(issuedAt: string, now: number): string | null {
  if (Date.parse(issuedAt) <= now + AHEAD_MS) return null;
  return `has the date ${issuedAt}, which is in the future. All later checkpoints get the same date until the clock reaches it. To get the true date earlier, stop the server and start a new log with countersign log restart`;
}
