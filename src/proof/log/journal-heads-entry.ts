import { canonicalJson } from '../encoding/canonical-json.ts';
import { DAY_MS, parseTimestamp } from '../encoding/timestamp.ts';
import { canonical, check, hash, membersOf, numberIn, position, textIn } from './entry-members.ts';
import { type AccountEntry, readAccountEntry } from './log-entry.ts';

/** The value of `event` in a leaf of journal heads. */
export const JOURNAL_HEADS = 'journal_heads';

/**
 * A leaf of `<origin>/accounts` that is of no account: the heads of the journals that grew since the last
 * leaf of this kind. There is at most one of a day.
 */
export interface JournalHeadsEntry {
  /** The newest UTC day that had ended when the leaf was appended: `2026-11-29`. */
  date: string;
  /** The number of heads: of leaves in the tree. */
  accounts: number;
  /** The root of the tree of the heads (RFC 6962): 64 lower-case hexadecimal characters. */
  root: string;
}

/** The days whose ends have a year of four digits, from 1970 on. */
const [FIRST_DATE, LAST_DATE] = ['1970-01-01', '9999-12-30'];

/** Returns whether a text is a date that exists, as `2026-11-29`, from 1970-01-01 to 9999-12-30. */
export function isDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    text >= FIRST_DATE &&
    text <= LAST_DATE &&
    parseTimestamp(`${text}T00:00:00.000Z`) !== null
  );
}

/** Returns when a UTC day ends: RFC 3339 with milliseconds. No leaf of its heads is older. */
export function endOfDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00.000Z`) + DAY_MS).toISOString();
}

/**
 * Formats a leaf of journal heads: canonical JSON (RFC 8785) with `v: 1`.
 * @throws LogEntryError for a member of the wrong form
 */
export function journalHeadsText(entry: JournalHeadsEntry): string {
  return canonicalJson({
    accounts: position('accounts', entry.accounts),
    date: check('date', entry.date, isDate),
    event: JOURNAL_HEADS,
    root: hash('root', entry.root),
    v: 1,
  });
}

/** Parses a leaf of journal heads. The text must be canonical. @throws LogEntryError */
export function readJournalHeads(text: string): JournalHeadsEntry {
  const members = membersOf(text);
  const entry = {
    date: textIn(members, 'date'),
    accounts: numberIn(members, 'accounts'),
    root: textIn(members, 'root'),
  };
  return canonical(text, journalHeadsText(entry), entry);
}

/** A leaf of the log of accounts: of a linked account, or of journal heads. */
export type AnyAccountsEntry = { account: AccountEntry } | { heads: JournalHeadsEntry };

/** Parses a leaf of the log of accounts. @throws LogEntryError */
export function readAnyAccountsEntry(text: string): AnyAccountsEntry {
  return membersOf(text).event === JOURNAL_HEADS
    ? { heads: readJournalHeads(text) }
    : { account: readAccountEntry(text) };
}
