import type { JournalFound } from '../ledger/journal-file.ts';
import { groupDigits } from './group-digits.ts';
import type { KindWords } from './kinds.ts';
import { type Summary, summaryOf } from './summary.ts';

/** What is said of a downloaded journal. A name in braces stands for a value. */
export const JOURNAL_WORDS = {
  first: 'consistent',
  verdicts: {
    malformed: 'This is not a well-formed journal of credits.',
    filtered: 'The journal was downloaded with filters. Download it without any.',
    inconsistent: 'An entry or a total of the journal does not follow from the others.',
    valid:
      'The journal of {owner} has {entries}, which are one chain; each balance follows, and all add up to its totals.',
  },
  itself: 'The journal itself',
  additional: [
    {
      check: 'details',
      option: 'the journal for its parties',
      ok: 'other accounts, references and memos are those of the entries',
      open: 'who the other accounts are',
    },
    {
      check: 'head',
      option: '--head',
      ok: 'its newest entry is that of --head',
      open: 'whether the service shows others the same journal, which nobody signed',
    },
    {
      check: 'opening',
      open: "the totals before the journal was complete, which are the service's word",
      isNamed: true,
    },
  ],
} as const satisfies KindWords;

/** The result for a journal. */
export type JournalSummary = Summary & {
  verdict: string;
  checks: Readonly<Record<string, string>>;
  subject_commitment?: string;
  operator_id?: string;
  entries: number;
  head: string | null;
};

/**
 * Says what was checked of a journal, what was not, and both in words.
 * @param head the hash that the newest entry must have; undefined for any
 */
export function journalSummary(
  { verdict, owner, entries, head, opening, details }: JournalFound,
  expected: string | undefined,
): { isValid: boolean; summary: JournalSummary } {
  const isConsistent = verdict === 'valid';
  const isHead = expected === undefined || expected === head;
  const checks: Record<string, string> = isConsistent
    ? {
        ...{ chain: 'ok', balances: 'ok', figures: 'ok', details: entries === 0 ? 'none' : details },
        ...(expected === undefined ? {} : { head: isHead ? 'ok' : 'bad' }),
      }
    : {};
  const isValid = isConsistent && isHead;
  const name = owner === null ? '' : Object.values(owner).join('');
  const values = new Map([
    ['owner', name],
    ['entries', `${groupDigits(entries)} ${entries === 1 ? 'entry' : 'entries'}`],
  ]);
  const valid = JOURNAL_WORDS.verdicts.valid.replace(/\{(\w+)\}/g, (_, value) => values.get(value) ?? '');
  const words = { ...JOURNAL_WORDS, verdicts: { ...JOURNAL_WORDS.verdicts, valid } };
  return {
    isValid,
    summary: {
      verdict,
      checks,
      ...owner,
      entries,
      head,
      ...summaryOf(words, { verdict, checks }, isValid, Object.keys(opening).length > 0 ? ['opening'] : []),
    },
  };
}
