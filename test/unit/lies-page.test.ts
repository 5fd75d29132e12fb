import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(import.meta.dir, '../api/tools/lies');
const pageOf = (name: string): string =>
  readFileSync(join(import.meta.dir, '../../docs/verification', name), 'utf8');
const page = pageOf('lies.md');
const namesOfTests = page.slice(page.indexOf('## The tests'));

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

/** The tests of each numbered row of the page. */
const tests = new Map(
  [...namesOfTests.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, number = '', text = '']) => [number, text]),
);

/** Returns the lies of the tests of a row of the page. */
function liesOf(number = ''): PlayedLie[] {
  return [...(tests.get(number) ?? '').matchAll(/\[([\w-]+)\] "([^"]+)"/g)].map(([, file, words = '']) => {
    const found = lies.filter((lie) => lie.file === file && lie.name.includes(words));
    expect([file, words, found.length > 0]).toEqual([file, words, true]);
    // Where one name begins another one, the shortest is meant.
    const [lie] = found.toSorted((a, b) => a.name.length - b.name.length);
    return lie ?? { file: '', name: words, noticed: '', hasNobody: false };
  });
}

const linesBetween = (text: string, from: string, to: string): string[] =>
  text
    .slice(text.indexOf(from), text.indexOf(to))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
const rowsBetween = (from: string, to: string): string[][] =>
  linesBetween(page, from, to).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const table = rowsBetween('| | The lie |', '## The tests');
const unnoticed = rowsBetween('| | Nobody notices that |', '## Lies that somebody notices');

/** What the test of a lie says when the party of a column notices it. */
const COLUMNS: readonly RegExp[] = [
  /byVerifiers\('(?!problem)|(?:verify|python): '/,
  /quorum|proof: missing|key of the service|compromised/,
  /byReaders\('|(?:monitor|newMonitor|fsck|compare): '/,
  /byVerifiers\('(?:problem: |wrong_log)/,
];
const REMARK = /remark: '/;

test('docs/verification names only lies that a test tells, and says that those notice them who do there', () => {
  expect(table.length).toBeGreaterThan(20);
  for (const [number, lie, ...cells] of table) {
    const told = liesOf(number);
    expect([lie, cells.length, told.length > 0]).toEqual([lie, COLUMNS.length, true]);
    for (const [column, noticed] of COLUMNS.entries()) {
      const cell = cells[column] ?? '';
      const isAsOneFile = cell === 'As one file';
      if (isAsOneFile) expect([lie, column, cells[0] === '–']).toEqual([lie, 1, false]);
      if (cell === '–' && column > 0)
        expect([lie, column, told.filter((one) => noticed.test(one.noticed))]).toEqual([lie, column, []]);
      if (isAsOneFile || cell === '–') continue;
      for (const part of cell.split('; ')) {
        expect([lie, part]).toEqual([lie, expect.stringMatching(/^(Yes|Remark|`--)/)]);
        const byOption = part.startsWith('`--') ? COLUMNS[0] : noticed;
        const expected = part === 'Remark' ? REMARK : (byOption ?? noticed);
        const isShown = told.some((one) => expected.test(one.noticed));
        expect([lie, part, isShown]).toEqual([lie, part, true]);
      }
    }
  }
});

test('docs/verification has every lie that nobody notices, by a test that shows this', () => {
  const rows = [...unnoticed, ...table];
  const named = rows.flatMap(([number]) => liesOf(number));
  const played = lies.filter(({ noticed }) => /noticed: \{\}/.test(noticed));
  const all = readdirSync(TESTS).flatMap((name) =>
    [...readFileSync(join(TESTS, name), 'utf8').matchAll(/\n *noticed: /g)].map(() => name),
  );
  expect(lies.filter(({ noticed }) => noticed.startsWith('\n')).length).toBe(all.length);
  expect(played.filter((lie) => !named.includes(lie))).toEqual([]);
  const numbers = rows.map((_, index) => String(index + 1));
  expect([rows.map(([number]) => number), [...tests.keys()]]).toEqual([numbers, numbers]);
  for (const [number = '', lie] of unnoticed) {
    if (tests.get(number)?.startsWith('None: ')) continue;
    const shown = liesOf(number).map(({ hasNobody }) => hasNobody);
    expect([lie, shown.length > 0, shown.every(Boolean)]).toEqual([lie, true, true]);
  }
});

test('docs/verification links each test of lies', () => {
  const links = [
    ...namesOfTests.matchAll(/^\[([\w-]+)\]: \.\.\/\.\.\/test\/api\/tools\/lies\/([\w-]+)\.test\.ts$/gm),
  ];
  const files = readdirSync(TESTS).map((name) => name.replace('.test.ts', ''));
  expect(links.map(([, name, file]) => [name, file]).toSorted()).toEqual(
    files.map((file) => [file, file]).toSorted(),
  );
});

test('page one has some of the lies, word for word, in their order', () => {
  const pageOne = pageOf('README.md');
  const shown = [
    ...linesBetween(pageOne, '| | Nobody notices that |', '## Lies that you can act on'),
    ...linesBetween(pageOne, '| | The lie |', '## Pages'),
  ];
  const all = page.split('\n');
  const places = shown.map((line) => all.indexOf(line));
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((_, index) => places[index] === -1)).toEqual([]);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
