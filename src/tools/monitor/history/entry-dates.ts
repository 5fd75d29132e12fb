import { timestampOf } from '../../../platform/time/timestamp.ts';
import { AHEAD_MS } from '../../../proof/encoding/timestamp.ts';
import { endOfDay } from '../../../proof/log/journal-heads-entry.ts';
import type { LogName } from '../../../proof/log/log-names.ts';

/** The end of the name of the only member of an entry that is a time, in every log. */
const DATE = Buffer.from('at":"');
/** What only a leaf of journal heads has, which has the day that had ended instead. */
const DAY = Buffer.from('"date":"');
const DAY_CHARACTERS = 10;
/** The length of a date in an entry: RFC 3339 in UTC with milliseconds. */
const DATE_CHARACTERS = 24;

/** Before the year 10,000 by more than is added to it. */
const LATEST = Date.parse('9999-01-01T00:00:00.000Z');

/**
 * The logs whose entries are dated when they are appended. A leaf of `/accounts` that is restored after the
 * loss of a database has the older date of its receipt.
 */
const DATED_AT_ONCE: readonly LogName[] = ['receipts', 'revocations', 'evidence'];

/** The times between which the new entries of a log are dated, in seconds since 1970; null where unknown. */
export interface EntryTimes {
  /** Of the oldest of the checkpoints that the logs had before. */
  before: number | null;
  /** Of the checkpoint that covers the entries. */
  covered: number | null;
}

/**
 * Returns a check of dates. Entries must not be dated in another order than they were appended: at most 60 s
 * before the checkpoints that do not have them, and at most 60 s after the one that has them.
 * @returns the problem of a date of an entry; null for none
 */
export function dateCheck({ before, covered }: EntryTimes): (date: string) => string | null {
  const from = before === null ? null : timeIn(before * 1000);
  const to = covered === null ? null : timeIn(covered * 1000);
  const earliest = from === null ? '' : timestampOf(from - AHEAD_MS);
  const latest = to === null ? '~' : timestampOf(to + AHEAD_MS);
  return (date) => {
    // Dates of this form have the order of their texts.
    if (to !== null && date > latest)
      return `it is dated ${date}, after the checkpoint that has it, of ${timestampOf(to)}`;
    if (from !== null && date < earliest)
      return `it is dated ${date}, before the checkpoints that do not have it, of ${timestampOf(from)}`;
    return null;
  };
}

/**
 * Returns `dateCheck` for the well-formed entries of a log other than the key log, whose checkpoint may be
 * signed by a key that it adds.
 */
export function entryDateCheck(
  name: Exclude<LogName, 'keys'>,
  { before, covered }: EntryTimes,
): (entry: Uint8Array) => string | null {
  const check = dateCheck({ before: DATED_AT_ONCE.includes(name) ? before : null, covered });
  return (entry) => {
    const bytes = Buffer.from(entry.buffer, entry.byteOffset, entry.byteLength);
    const day = name === 'accounts' ? bytes.indexOf(DAY) : -1;
    if (day !== -1) {
      const from = day + DAY.length;
      return check(endOfDay(bytes.toString('latin1', from, from + DAY_CHARACTERS)));
    }
    const at = bytes.indexOf(DATE) + DATE.length;
    return check(bytes.toString('latin1', at, at + DATE_CHARACTERS));
  };
}

/** Returns a time that an entry could have; null for one of no such year, which is a problem by itself. */
function timeIn(milliseconds: number): number | null {
  return milliseconds < LATEST ? milliseconds : null;
}
