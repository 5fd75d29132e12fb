/** Clocks differ by less than this, and a clock that is set back by less makes no difference to anybody. */
const AHEAD_MS = 60_000;

/**
 * Returns what is wrong with the date of a log's newest checkpoint, in the words that follow its name, and the way out; null when it is
 * not in the future. The log itself cannot go back to the true date: whoever watches it takes a later tree with an earlier date, beside
 * the one before, for a log that was rolled back.
 *
 * @param now milliseconds since 1970
 */
export function futureDateProblem(issuedAt: string, now: number): string | null {
  if (Date.parse(issuedAt) <= now + AHEAD_MS) return null;
  return `is dated ${issuedAt}, in the future, and so is every one after it until then: where that is too long to wait, stop the server and begin another log by countersign log restart`;
}
