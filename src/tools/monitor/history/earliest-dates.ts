import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../../platform/files/read.ts';
import { writeSecretFile } from '../../../platform/files/write.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';

/** The name of the file in a monitor's directory. It is there only while checkpoints have a later date. */
const READ_AT_FILE = 'read-at';

/**
 * Knows the time before which new entries must not be dated: that of the checkpoints that the copy has. A
 * checkpoint with a date in the future says nothing about entries: a service whose clock was ahead keeps this
 * date for its checkpoints, and dates entries by the right time. Then the time when it was read counts.
 */
export class EarliestDates {
  private readonly path: string;

  /** @param state the monitor's directory */
  constructor(state: string) {
    this.path = join(state, READ_AT_FILE);
  }

  /**
   * Returns the time before which the entries of a new round must not be dated, in seconds since 1970; null
   * if unknown.
   * @param signed when the copy's checkpoints were signed, in seconds since 1970; null if unknown
   * @param now milliseconds since 1970
   */
  of(signed: number | null, now: number): number | null {
    if (signed === null) return null;
    const readAt = existsSync(this.path) ? Date.parse(readText(this.path).trim()) / 1000 : Number.NaN;
    if (!Number.isNaN(readAt)) return Math.min(signed, readAt);
    return isFuture(signed, now) ? null : signed;
  }

  /**
   * Records when a round read the copy's checkpoints, if they are dated in the future.
   * @param signed when the copy's checkpoints were signed, in seconds since 1970; null if unknown
   * @param now when the round began, in milliseconds since 1970
   */
  record(signed: number | null, now: number): void {
    if (signed !== null && isFuture(signed, now)) writeSecretFile(this.path, `${timestampOf(now)}\n`);
    else rmSync(this.path, { force: true });
  }
}

function isFuture(seconds: number, now: number): boolean {
  return seconds * 1000 > now + AHEAD_MS;
}
