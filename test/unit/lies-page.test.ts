import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(import.meta.dir, '../api/tools/lies');
const page = readFileSync(join(import.meta.dir, '../../docs/verification/README.md'), 'utf8');

interface PlayedLie {
  file: string;
  name: string;
  /** Who notices it, as the test has it. */
  noticed: string;
  /** Whether somebody is asked in vain. */
  hasNobody: boolean;
}

/** Returns the lies in the tables of the tests, and what a witness refuses. */
function playedLies(): PlayedLie[] {
  return readdirSync(TESTS).flatMap((name) => {
    const file = name.replace('.test.ts', '');
    const text = readFileSync(join(TESTS, name), 'utf8');
    const lies = text.split(/\n *lie: '/).slice(1);
    const [, refused = ''] = /a witness does not cosign'([\s\S]*)/.exec(text) ?? [];
    return [
      ...lies.map((lie) => ({
        file,
        name: lie.slice(0, lie.indexOf("',\n")),
        noticed: lie.slice(lie.search(/\n *noticed: /)).split(/\n *nobody: |\n\]/)[0] ?? '',
        hasNobody: /\n *nobody: /.test(lie),
      })),
      ...[...refused.matchAll(/^ +(?:\[)?'([^']+)',/gm)].map(([, refusal = '']) => ({
        ...{ file, name: refusal, noticed: 'refused by a witness: quorum', hasNobody: false },
      })),
    ];
  });
}

const lies = playedLies();

/** The footnotes, which name the tests of a row. */
const notes = new Map(
  [...page.matchAll(/^(\[\^\d+\]): (.*)$/gm)].map(([, note = '', text = '']) => [note, text]),
);

/** Returns the lies of the tests that a row of the page names. */
function liesOf(note: string): PlayedLie[] {
  return [...(notes.get(note) ?? '').matchAll(/\[([\w-]+)\] "([^"]+)"/g)].map(([, file, words = '']) => {
    const found = lies.filter((lie) => lie.file === file && lie.name.includes(words));
    expect([file, words, found.length > 0]).toEqual([file, words, true]);
    // Where one name begins another one, the shortest is meant.
    const [lie] = found.toSorted((a, b) => a.name.length - b.name.length);
    return lie ?? { file: '', name: words, noticed: '', hasNobody: false };
  });
}

const rowsBetween = (from: string, to: string): string[][] =>
  page
    .slice(page.indexOf(from), page.indexOf(to))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const table = rowsBetween('| The lie |', 'The tests tell each lie');
const unnoticed = rowsBetween('| Nobody notices that |', '## Lies that somebody notices');

/** What the test of a lie says when the party of a column notices it. */
const COLUMNS: readonly RegExp[] = [
  /byVerifiers\('(?!problem)|(?:verify|python): '/,
  /quorum|key of the service|compromised/,
  /byReaders\('|(?:monitor|newMonitor|fsck|compare): '/,
  /byVerifiers\('(?:problem: |wrong_log)/,
];
const REMARK = /remark: '/;

test('docs/verification names only lies that a test tells, and says that those notice them who do there', () => {
  expect(table.length).toBeGreaterThan(20);
  for (const [lie, ...cells] of table) {
    const tests = liesOf(cells.at(-1) ?? '');
    expect([lie, cells.length, tests.length > 0]).toEqual([lie, COLUMNS.length + 1, true]);
    for (const [column, noticed] of COLUMNS.entries()) {
      const cell = cells[column] ?? '';
      if (cell === '') continue;
      const byOption = cell.startsWith('`--') ? COLUMNS[0] : noticed;
      const expected = cell === 'Remark' ? REMARK : (byOption ?? noticed);
      const isShown = tests.some((one) => expected.test(one.noticed));
      expect([lie, cell, isShown]).toEqual([lie, cell, true]);
    }
  }
});

test('docs/verification has every lie that nobody notices, by a test that shows this', () => {
  const named = [...table, ...unnoticed].flatMap((cells) => liesOf(cells.at(-1) ?? ''));
  const played = lies.filter(({ noticed }) => /noticed: \{\}/.test(noticed));
  const all = readdirSync(TESTS).flatMap((name) =>
    [...readFileSync(join(TESTS, name), 'utf8').matchAll(/\n *noticed: /g)].map(() => name),
  );
  expect(lies.filter(({ noticed }) => noticed.startsWith('\n')).length).toBe(all.length);
  expect(played.filter((lie) => !named.includes(lie))).toEqual([]);
  const used = [...table, ...unnoticed].flatMap((cells) => cells.at(-1)?.match(/^\[\^\d+\]$/) ?? []);
  expect(used).toEqual([...notes.keys()].toSorted((a, b) => used.indexOf(a) - used.indexOf(b)));
  for (const [lie, , tests = ''] of unnoticed) {
    if (tests.startsWith('None: ')) continue;
    const shown = liesOf(tests).map(({ hasNobody }) => hasNobody);
    expect([lie, shown.length > 0, shown.every(Boolean)]).toEqual([lie, true, true]);
  }
});

test('docs/verification links each test of lies', () => {
  const links = [
    ...page.matchAll(/^\[([\w-]+)\]: \.\.\/\.\.\/test\/api\/tools\/lies\/([\w-]+)\.test\.ts$/gm),
  ];
  const files = readdirSync(TESTS).map((name) => name.replace('.test.ts', ''));
  expect(links.map(([, name, file]) => [name, file]).toSorted()).toEqual(
    files.map((file) => [file, file]).toSorted(),
  );
});
