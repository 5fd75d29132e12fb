import { expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readEntryFacts } from '../../../../src/proof/log/entry-facts.ts';
import { LogEntryError } from '../../../../src/proof/log/entry-members.ts';
import {
  journalHeadsText,
  readAnyAccountsEntry,
  readJournalHeads,
} from '../../../../src/proof/log/journal-heads-entry.ts';
import { readAccountEntry } from '../../../../src/proof/log/log-entry.ts';

const heads = { date: '2026-11-29', accounts: 5, root: 'ab'.repeat(32) };
const text = `{"accounts":5,"date":"2026-11-29","event":"journal_heads","root":"${heads.root}","v":1}`;

test('a leaf of journal heads is canonical JSON of its members', () => {
  expect(journalHeadsText(heads)).toBe(text);
  expect(readJournalHeads(text)).toEqual(heads);
  expect(readAnyAccountsEntry(text)).toEqual({ heads });
  expect(() => readAccountEntry(text)).toThrow(LogEntryError);
});

test('a leaf of journal heads is as old as the end of its day', () => {
  const { at } = readEntryFacts(nativePrimitives, 'accounts', text);
  expect(at).toBe('2026-11-30T00:00:00.000Z');
});

test.each([
  ['no day of the calendar', text.replace('11-29', '02-30')],
  ['a time in its date', text.replace('2026-11-29', '2026-11-29T00:00:00.000Z')],
  ['a day whose end has a year of five digits', text.replace('2026-11-29', '9999-12-31')],
  ['a day before 1970', text.replace('2026-11-29', '1969-12-31')],
  ['no account', text.replace('5', '0')],
  ['a part of an account', text.replace('5', '5.5')],
  ['a root that is too short', text.replace('abab', 'ab')],
  ['another event', text.replace('journal_heads', 'journal_tails')],
  ['another version', text.replace('"v":1', '"v":2')],
  ['another member', text.replace('"v":1', '"until":7,"v":1')],
  ['a space', text.replace(',', ', ')],
])('refuses a leaf of journal heads with %s', (_, wrong) => {
  expect(() => readAnyAccountsEntry(wrong)).toThrow(LogEntryError);
});
