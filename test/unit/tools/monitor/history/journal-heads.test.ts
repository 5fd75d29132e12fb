import { expect, test } from 'bun:test';
import { journalHeadsText } from '../../../../../src/proof/log/journal-heads-entry.ts';
import { entryDateCheck } from '../../../../../src/tools/monitor/history/entry-dates.ts';
import { EntryHistory } from '../../../../../src/tools/monitor/history/history.ts';

const leafOf = (date: string) => Buffer.from(journalHeadsText({ date, accounts: 1, root: 'ab'.repeat(32) }));

/** What the history says of leaves of these days in turn. */
function problemsOf(dates: readonly string[]): (string | null)[] {
  const history = EntryHistory.temporary();
  try {
    return dates.map((date, index) => history.take('accounts', leafOf(date), index));
  } finally {
    history.close();
  }
}

test.each<[string, string[], (RegExp | null)[]]>([
  ['ascending days, with days between them', ['2026-11-27', '2026-11-28', '2026-12-31'], [null, null, null]],
  [
    'two leaves of one day',
    ['2026-11-28', '2026-11-28', '2026-11-29'],
    [null, /of 2026-11-28, and an earlier leaf has those of 2026-11-28/, null],
  ],
  [
    'a leaf of an earlier day, reported once',
    ['2026-11-28', '2026-11-20', '2026-11-29'],
    [null, /of 2026-11-20, and an earlier leaf has those of 2026-11-28/, null],
  ],
])('finds %s', (_, dates, expected) => {
  const problems = problemsOf(dates);
  expect(problems).toHaveLength(expected.length);
  for (const [at, problem] of problems.entries()) {
    const pattern = expected[at] ?? null;
    if (pattern === null) expect(problem).toBeNull();
    else expect(problem).toMatch(pattern);
  }
});

test('a leaf of a day that had not ended at the checkpoint is dated after it', () => {
  const covered = Date.parse('2026-11-30T00:00:05.000Z') / 1000;
  const check = entryDateCheck('accounts', { before: null, covered });
  expect(check(leafOf('2026-11-29'))).toBeNull();
  expect(check(leafOf('2026-11-30'))).toMatch(/after the checkpoint that has it/);
  expect(check(leafOf('9999-12-30'))).toMatch(/after the checkpoint that has it/);
});

test('text that is no leaf is named as such', () => {
  const history = EntryHistory.temporary();
  const broken = Buffer.from(leafOf('2026-11-29').toString().replace('2026-11-29', '2026-13-29'));
  expect(history.take('accounts', broken, 0)).toMatch(/not an entry of accounts: date/);
  history.close();
});
