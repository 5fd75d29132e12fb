import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import Papa from 'papaparse';
import { RowScanner } from '../../../../src/staffing/nppes/reading/row-scanner.ts';

/** What a scanner finds: a row as its values, and anything else as text. */
type Found = string[] | string;

/** Scans bytes in pieces of a size. */
function scan(bytes: Buffer, columns = 0, pieceBytes = bytes.length): Found[] {
  const scanner = new RowScanner();
  scanner.columns = columns;
  const found: Found[] = [];
  let at = 0;
  while (true) {
    const scanned = scanner.next();
    if (scanned === 'row') found.push(valuesOf(scanner));
    else if (scanned === 'bad') found.push(`line ${scanner.line}: ${scanner.problem}`);
    else if (scanned === 'truncated') return [...found, `line ${scanner.line}: truncated`];
    else if (scanned === 'end') return found;
    else if (at >= bytes.length) scanner.end();
    else {
      scanner.push(bytes.subarray(at, at + pieceBytes));
      at += pieceBytes;
    }
  }
}

function valuesOf(scanner: RowScanner): string[] {
  return Array.from({ length: scanner.count }, (_, column) =>
    scanner.bytes.toString('utf8', scanner.starts[column], scanner.ends[column]).replaceAll('""', '"'),
  );
}

const A = '"2000000010","A","x"\n';
const B = '"2000000028","B","y"\n';
const a = ['2000000010', 'A', 'x'];
const b = ['2000000028', 'B', 'y'];
const UNDOUBLED = 'a quote that is not doubled';

const TABLE: readonly (readonly [name: string, text: string, found: Found[]])[] = [
  ['rows', A + B, [a, b]],
  ['a last row without a line end', A + B.trimEnd(), [a, b]],
  ['line ends of Windows', (A + B).replaceAll('\n', '\r\n'), [a, b]],
  ['values without quotes', '2000000010,A,x\r\n2000000028,B,y\n', [a, b]],
  ['empty lines', `\n${A}\r\n\n${B}\n`, [a, b]],
  [
    'empty values',
    '"2000000010","",""\n2000000028,,\n',
    [
      ['2000000010', '', ''],
      ['2000000028', '', ''],
    ],
  ],
  [
    'commas, quotes, braces and line ends in values',
    `"2000000010","A, ""B"" {C}","x\ny"\n${B}`,
    [['2000000010', 'A, "B" {C}', 'x\ny'], b],
  ],
  ['a quote within a value', `"2000000010","A" B","x"\n${B}`, [`line 1: column 2 has ${UNDOUBLED}`, b]],
  [
    'a missing quote at the end of a value',
    `"2000000010","A,"x"\n${B}`,
    [`line 1: column 2 has ${UNDOUBLED}`, b],
  ],
  [
    'a missing quote at the end of a row',
    `"2000000010","A","x\n${B}`,
    [`line 1: column 3 has ${UNDOUBLED}`, b],
  ],
  ['a quote in a value without quotes', `2000000010,A"B,x\n${B}`, [`line 1: column 2 has ${UNDOUBLED}`, b]],
  ['too few columns', `"2000000010","A"\n${B}`, ['line 1: the row has 2 columns instead of 3', b]],
  ['too many columns', `"2000000010","A","x","z"\n${B}`, ['line 1: the row has 4 columns instead of 3', b]],
  [
    'damage over several lines',
    `"2000000010","A\nB\nC" ,"x"\n\n\n${B}`,
    [`line 1: column 2 has ${UNDOUBLED}`, b],
  ],
  ['an end in a value', `${A}"2000000028","B`, [a, 'line 2: truncated']],
  ['an end after a comma', `${A}"2000000028",`, [a, 'line 2: truncated']],
  ['an end with too few columns', `${A}"2000000028","B"`, [a, 'line 2: truncated']],
  ['a last quote that is not closed', `${A}"2000000028","B","y\n`, [a, 'line 2: a quote is not closed']],
  ['no text', '', []],
  ['only line ends', '\n\r\n', []],
];

describe('the scanner of rows', () => {
  test.each(TABLE)('reads %s, in pieces of any size', (_, text, found) => {
    const bytes = Buffer.from(text);
    for (const size of [1, 2, 3, 7, 1000]) expect(scan(bytes, 3, size)).toEqual(found);
  });

  test('counts the lines of the file, also within values and bad rows', () => {
    const text = `"2000000010","A\nB","x"\n"2000000028","B\n" ,"y"\n2000000036,1\n`;
    expect(scan(Buffer.from(text), 3)).toEqual([
      ['2000000010', 'A\nB', 'x'],
      `line 3: column 2 has ${UNDOUBLED}`,
      'line 5: the row has 2 columns instead of 3',
    ]);
  });

  test('ends a row of more than 256 KiB as a bad one, and holds no more of it', () => {
    const huge = `"2000000010","${'A'.repeat(10 * 2 ** 20)}","x"\n`;
    const scanner = new RowScanner();
    scanner.columns = 3;
    const bytes = Buffer.from(huge + B);
    let most = 0;
    const found: string[] = [];
    for (let at = 0; ; ) {
      const scanned = scanner.next();
      if (scanned === 'end') break;
      if (scanned !== 'more') found.push(scanned === 'bad' ? scanner.problem : scanned);
      else if (at >= bytes.length) scanner.end();
      else {
        scanner.push(bytes.subarray(at, at + 65_536));
        at += 65_536;
        most = Math.max(most, scanner.bytes.length);
      }
    }
    expect(found).toEqual(['the row is longer than 256 KiB', 'row']);
    expect(most).toBeLessThan(512 * 1024);
  });

  test('refuses a row of thousands of columns', () => {
    expect(scan(Buffer.from(`${','.repeat(5000)}\n`))).toEqual([
      'line 1: the row has more than 4096 columns',
    ]);
  });

  test('finds the same values as Papa Parse in any well-formed file, in pieces of any size', () => {
    const value = fc.oneof(
      fc.constant(''),
      fc.string(),
      fc.constantFrom('"', '""', ',', '\n', '\r\n', 'Muñoz', '{"a"}'),
    );
    const rows = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 40 }),
        (values, newline, size) => {
          const text = Papa.unparse(values, { quotes: true, newline }) + newline;
          const { data, errors } = Papa.parse<string[]>(text, {
            delimiter: ',',
            newline,
            skipEmptyLines: true,
          });
          expect(errors).toEqual([]);
          expect(scan(Buffer.from(text), 3, size)).toEqual(data);
        },
      ),
    );
  });

  test('keeps damage of one row from all rows that follow', () => {
    const rows = Array.from({ length: 6 }, (_, index) => `"200000001${index}","A","x"\n`);
    const expected = rows.map((row) => row.trim().replaceAll('"', '').split(','));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4 }),
        fc.nat(20),
        fc.constantFrom('"', ',', '\n', '""', '"\n"', 'Z'),
        (which, at, noise) => {
          const damaged = rows.with(which, `${rows[which]?.slice(0, at)}${noise}${rows[which]?.slice(at)}`);
          const found = scan(Buffer.from(damaged.join('')), 3);
          expect(found.slice(-(5 - which))).toEqual(expected.slice(which + 1));
          expect(found.slice(0, which)).toEqual(expected.slice(0, which));
        },
      ),
    );
  });
});
