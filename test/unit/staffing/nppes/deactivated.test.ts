import { afterAll, describe, expect, test } from 'bun:test';
import { readDeactivated } from '../../../../src/staffing/nppes/deactivated/read-deactivated.ts';
import { dayInName, dayInTitle } from '../../../../src/staffing/nppes/deactivated/title.ts';
import { madeUpNpi } from '../../../../src/staffing/registry/sample/sample.ts';
import { fileDirectory, refusalOf, zipOf } from '../../../support/nppes.ts';

const { write, dispose } = fileDirectory();
afterAll(dispose);

const [ONE, TWO, THREE] = [madeUpNpi(1), madeUpNpi(2), madeUpNpi(3)];
const TITLE = 'NPPES Deactivated Records as of Nov 09 2026';
const HEADER = ['NPI', 'NPPES Deactivation Date'] as const;

/** A cell: an index of a shared text, a number, a text within the cell or a text of a formula. */
type SheetCell = { shared: number } | { number: number } | { inline: string } | { formula: string };

function cellXml(at: string, cell: SheetCell): string {
  if ('shared' in cell) return `<c r="${at}" t="s"><v>${cell.shared}</v></c>`;
  if ('number' in cell) return `<c r="${at}" s="1"><v>${cell.number}</v></c>`;
  if ('inline' in cell) return `<c r="${at}" t="inlineStr"><is><t>${cell.inline}</t></is></c>`;
  return `<c r="${at}" t="str"><f>A1</f><v>${cell.formula}</v></c>`;
}

function sheetXml(rows: readonly (readonly SheetCell[])[]): string {
  const lines = rows.map((cells, row) => {
    const line = row + 1;
    return `<row r="${line}">${cells.map((cell, column) => cellXml(`${'AB'[column]}${line}`, cell)).join('')}</row>`;
  });
  return `<?xml version="1.0"?><worksheet xmlns="urn:x"><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

function stringsXml(texts: readonly string[]): string {
  const items = texts.map(
    (text) => `<si><r><t>${text.slice(0, 2)}</t></r><r><t>${text.slice(2)}</t></r><rPh><t>x</t></rPh></si>`,
  );
  return `<?xml version="1.0"?><sst xmlns="urn:x">${items.join('')}</sst>`;
}

const spreadsheet = (
  rows: readonly (readonly SheetCell[])[],
  texts: readonly string[] = [],
): Promise<Buffer> =>
  zipOf({
    '[Content_Types].xml': '<Types/>',
    'xl/sharedStrings.xml': stringsXml(texts),
    'xl/worksheets/sheet2.xml': sheetXml([]),
    'xl/worksheets/sheet1.xml': sheetXml(rows),
  });

const REPORT = spreadsheet(
  [
    [{ shared: 0 }],
    [{ shared: 1 }, { shared: 2 }],
    [{ shared: 3 }, { shared: 4 }],
    [{ number: TWO }, { number: 44_197 }],
    [{ inline: String(THREE) }, { formula: '12/31/2020' }],
  ],
  [TITLE, ...HEADER, String(ONE), '01/02/2020'],
);
const NPIS = [
  { npi: ONE, deactivatedOn: '2020-01-02' },
  { npi: TWO, deactivatedOn: '2021-01-01' },
  { npi: THREE, deactivatedOn: '2020-12-31' },
];

test('a small spreadsheet that unpacks to more than any list is refused before it is unpacked', async () => {
  const path = write('bomb.xlsx', await zipOf({ 'xl/worksheets/sheet1.xml': ' '.repeat(257 * 2 ** 20) }));
  expect(await refusalOf(readDeactivated(path))).toContain('more than any list of deactivated NPIs has');
}, 180_000);

describe('the report of deactivated NPIs', () => {
  test('is read from a spreadsheet: shared and other texts, days as texts and as numbers', async () => {
    const path = write('report.xlsx', await REPORT);
    expect(await readDeactivated(path)).toEqual({ asOf: '2026-11-09', npis: NPIS, bad: [] });
  });

  test('is read from the zip that CMS publishes', async () => {
    const zip = await zipOf({ 'NPPES Deactivated NPI Report 20261109.xlsx': await REPORT, 'a.txt': 'x' });
    const path = write('NPPES_Deactivated_NPI_Report_110926_V2.zip', zip);
    expect(await readDeactivated(path)).toEqual({ asOf: '2026-11-09', npis: NPIS, bad: [] });
    const csv = `${HEADER.join(',')}\n${ONE},01/02/2020\n`;
    const zipped = write('list.zip', await zipOf({ 'report_20261109.csv': csv }));
    expect(await readDeactivated(zipped)).toEqual({ asOf: '2026-11-09', npis: NPIS.slice(0, 1), bad: [] });
  });

  test('is read from CSV with and without title and quotes; bad rows are named and NPIs counted once', async () => {
    const csv = [
      `\ufeff"${TITLE}",`,
      '"NPI","NPPES Deactivation Date"',
      `"${ONE}","01/02/2020"`,
      '',
      `${ONE},03/04/2021`,
      '1234567890,01/02/2020',
      `${TWO},soon`,
      `${TWO},2021-01-01`,
      `${THREE},`,
    ].join('\r\n');
    expect(await readDeactivated(write('report.csv', csv))).toEqual({
      asOf: '2026-11-09',
      npis: [...NPIS.slice(0, 2), { npi: THREE, deactivatedOn: null }],
      bad: [
        { line: 6, reason: 'NPI is not ten digits with a valid check digit' },
        { line: 7, reason: 'the deactivation date is not a day (MM/DD/YYYY)' },
      ],
    });
    const plain = write('plain.csv', `NPI,Deactivation Date\n${ONE},01/02/2020\n`);
    expect(await readDeactivated(plain)).toEqual({ asOf: null, npis: NPIS.slice(0, 1), bad: [] });
  });

  test('is refused when it is a file of clinicians, which names its deactivated NPIs in columns of the same names', async () => {
    const rows = `"NPI","Entity Type Code","NPI Deactivation Date"\n"${ONE}","1",""\n`;
    const zip = await zipOf({ 'npidata_pfile_20261102-20261108.csv': rows });
    for (const [name, bytes] of [
      ['npidata_pfile_20050523-20261108.csv', rows],
      ['weekly.zip', zip],
    ] as const) {
      expect(await refusalOf(readDeactivated(write(name, bytes)))).toBe(
        `${name} is not the report of deactivated NPIs: it is a file of clinicians`,
      );
    }
  });

  test('is refused when it is another file, damaged or empty', async () => {
    const refused = (name: string, bytes: string | Buffer): Promise<string> =>
      refusalOf(readDeactivated(write(name, bytes)));
    expect(await refused('a.csv', 'NPI,Date\n')).toMatch(
      /^a.csv is not the report of deactivated NPIs: it has no line with/,
    );
    expect(await refused('b.csv', `${HEADER.join(',')}\n`)).toMatch(/: it has no NPIs$/);
    expect(await refused('c.csv', 'x,y\n'.repeat(30))).toMatch(/: its first lines have no column names$/);
    expect(await refused('d.zip', await zipOf({ 'a.txt': 'x' }))).toMatch(
      /^d.zip does not contain the report/,
    );
    expect(await refused('e.xlsx', (await REPORT).subarray(0, 300))).toMatch(
      /e.xlsx is not a complete zip file: /,
    );
    const broken = await zipOf({ 'xl/worksheets/sheet1.xml': '<worksheet><row>' });
    expect(await refused('f.xlsx', broken)).toMatch(/^f.xlsx is not a complete spreadsheet: /);
    expect(await refusalOf(readDeactivated('/nowhere.xlsx'))).toBe(
      '/nowhere.xlsx cannot be read: the file does not exist',
    );
  });
});

test('the day of a report is in its title or its name', () => {
  expect(
    [TITLE, 'as of January 1, 2026', 'as of 02/03/2026', 'as of Foo 01 2026', 'as of Feb 30 2026', ''].map(
      dayInTitle,
    ),
  ).toEqual(['2026-11-09', '2026-01-01', '2026-02-03', null, null, null]);
  expect(
    ['report_20261109.csv', 'Report_110926_V2.zip', 'report 11092026.xlsx', 'report_99.csv', 'x.csv'].map(
      dayInName,
    ),
  ).toEqual(['2026-11-09', '2026-11-09', '2026-11-09', null, null]);
});
