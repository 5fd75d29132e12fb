import { afterAll, describe, expect, test } from 'bun:test';
import { truncateSync } from 'node:fs';
import fc from 'fast-check';
import { DayCache, dayOf } from '../../../../src/staffing/nppes/reading/days.ts';
import { parseDissemination } from '../../../../src/staffing/nppes/reading/parse.ts';
import type { NppesRow } from '../../../../src/staffing/nppes/rows.ts';
import type { ClinicianRecord } from '../../../../src/staffing/registry/record.ts';
import { madeUpNpi } from '../../../../src/staffing/registry/sample/sample.ts';
import { embeddedTaxonomy } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';
import {
  ALL,
  ANA,
  contentsOf,
  csvOf,
  fileDirectory,
  NURSE,
  quotedLine,
  refusalOf,
  rowLine,
  rowsOf,
  V1_HEADER,
  V2_HEADER,
  type Values,
  zipOf,
} from '../../../support/nppes.ts';

const { write, dispose } = fileDirectory();
afterAll(dispose);

const PRACTICE = 'Provider Business Practice Location Address';
const STATE = `${PRACTICE} State Name`;
const CITY = `${PRACTICE} City Name`;
const ZIP = `${PRACTICE} Postal Code`;
const COUNTRY = `${PRACTICE} Country Code (If outside U.S.)`;
const LAST = 'Provider Last Name (Legal Name)';
const CODE = (slot: number): string => `Healthcare Provider Taxonomy Code_${slot}`;
const SWITCH = (slot: number): string => `Healthcare Provider Primary Taxonomy Switch_${slot}`;

async function read(bytes: string | Buffer, name = 'npidata.csv'): Promise<NppesRow[]> {
  return rowsOf(write(name, bytes));
}

async function rowOf(values: Values): Promise<NppesRow | undefined> {
  const [row] = await read(csvOf([{ ...NURSE, ...values }]));
  return row;
}

/** Values that are put into the row of a nurse, and how the record differs. */
const RECORDS: readonly (readonly [name: string, values: Values, changes: Partial<ClinicianRecord>])[] = [
  ['a row as it is', {}, {}],
  [
    'all names',
    {
      'Provider Middle Name': 'M',
      'Provider Name Suffix Text': 'III',
      'Provider Credential Text': 'R.N., B.S.N.',
    },
    { middleName: 'M', suffix: 'III', credential: 'R.N., B.S.N.' },
  ],
  [
    'spaces and line ends within names',
    { [LAST]: '  DE\tLA \n CRUZ ', [CITY]: ' SAN  JUAN' },
    { lastName: 'DE LA CRUZ', city: 'SAN JUAN' },
  ],
  ['quotes, commas and braces', { [LAST]: 'O"NEAL, {JR}' }, { lastName: 'O"NEAL, {JR}' }],
  ['names with marks', { [LAST]: 'MUÑOZ', [CITY]: 'PEÑUELAS' }, { lastName: 'MUÑOZ', city: 'PEÑUELAS' }],
  [
    'NULL and <UNAVAIL>',
    {
      'Provider First Name': '<UNAVAIL>',
      'Provider Credential Text': 'NULL',
      [CITY]: 'NULL',
      [ZIP]: '<UNAVAIL>',
      'Last Update Date': 'NULL',
    },
    { firstName: null, city: null, postalCode: null, lastUpdatedOn: null },
  ],
  ['the surname Null', { [LAST]: 'NULL' }, { lastName: 'NULL' }],
  [
    'a former name',
    { 'Provider Other Last Name': 'LOPEZ', 'Provider Other Last Name Type Code': '1' },
    { formerNames: ['LOPEZ'] },
  ],
  [
    'a professional name',
    { 'Provider Other Last Name': 'LOPEZ', 'Provider Other Last Name Type Code': '2' },
    { formerNames: ['LOPEZ'] },
  ],
  [
    'another name',
    { 'Provider Other Last Name': 'LOPEZ', 'Provider Other Last Name Type Code': '5' },
    { formerNames: ['LOPEZ'] },
  ],
  ['a trade name', { 'Provider Other Last Name': 'LOPEZ', 'Provider Other Last Name Type Code': '3' }, {}],
  [
    'a former name that is the surname',
    { 'Provider Other Last Name': 'GARCIA', 'Provider Other Last Name Type Code': '1' },
    {},
  ],
  [
    'a primary code in slot 3',
    { [SWITCH(1)]: 'N', [CODE(3)]: '207Q00000X', [SWITCH(3)]: 'Y' },
    { codes: ['207Q00000X', '163W00000X'] },
  ],
  [
    'two primary codes',
    { [CODE(2)]: '207Q00000X', [SWITCH(2)]: 'Y' },
    { codes: ['163W00000X', '207Q00000X'] },
  ],
  [
    'switches X and none',
    { [SWITCH(1)]: 'X', [CODE(2)]: '207Q00000X' },
    { codes: ['163W00000X', '207Q00000X'] },
  ],
  [
    'a code three times',
    { [SWITCH(1)]: 'N', [CODE(2)]: '163W00000X', [SWITCH(2)]: 'Y', [CODE(15)]: '163W00000X' },
    {},
  ],
  [
    'an empty slot 1',
    { [CODE(1)]: '', [SWITCH(1)]: '', [CODE(15)]: '207q00000x' },
    { codes: ['207Q00000X'] },
  ],
  ['no code', { [CODE(1)]: '' }, { codes: [] }],
  ['a state in lower case and no country', { [STATE]: 'ma', [COUNTRY]: '' }, {}],
  [
    'Western Australia',
    { [STATE]: 'WA', [CITY]: 'PERTH', [ZIP]: '60001', [COUNTRY]: 'AU' },
    { state: null, city: 'PERTH', postalCode: null },
  ],
  [
    'a territory',
    { [STATE]: 'PR', [CITY]: 'PONCE', [ZIP]: '00716' },
    { state: 'PR', city: 'PONCE', postalCode: '00716' },
  ],
  [
    'a territory as a country',
    { [STATE]: '', [CITY]: 'HAGATNA', [ZIP]: '96910', [COUNTRY]: 'GU' },
    { state: 'GU', city: 'HAGATNA', postalCode: '96910' },
  ],
  [
    'no days',
    { 'Provider Enumeration Date': '', 'Last Update Date': '' },
    { enumeratedOn: null, lastUpdatedOn: null },
  ],
];

const NOT_A_DAY = 'is not a day (MM/DD/YYYY)';
const NOT_AN_NPI = 'is not an NPI: ten digits with a valid check digit';
const NOT_UTF8 = 'is not UTF-8';
const NOT_A_CODE = 'is not a taxonomy code';
const NOT_A_ZIP = 'does not begin with a ZIP';
const TOO_LONG = 'is longer than 100 characters';
const CONTROL = 'contains a control character';
const DEACTIVATED_ON = 'NPI Deactivation Date';
const CREDENTIAL = 'Provider Credential Text';
const UPDATED = 'Last Update Date';
const ENUMERATED = 'Provider Enumeration Date';
const OTHER_TYPE = 'Provider Other Last Name Type Code';

/** Values that are put into the row of a nurse, and what it is then. */
const OTHERS: readonly (readonly [name: string, values: Values, row: Record<string, unknown>])[] = [
  [
    'an organization',
    { 'Entity Type Code': '2', [LAST]: '' },
    { kind: 'left_out', npi: ANA.npi, reason: 'organization' },
  ],
  [
    'a deactivated NPI',
    { 'Entity Type Code': '', [DEACTIVATED_ON]: '01/02/2020' },
    { kind: 'removed', npi: ANA.npi, deactivatedOn: '2020-01-02' },
  ],
  [
    'no type',
    { 'Entity Type Code': '' },
    bad('Entity Type Code', 'is missing, and so is a day of deactivation'),
  ],
  ['another type', { 'Entity Type Code': '7' }, bad('Entity Type Code', 'is neither 1 nor 2')],
  ['no surname', { [LAST]: ' ' }, bad(LAST, 'is missing')],
  ['a surname that is not published', { [LAST]: '<UNAVAIL>' }, bad(LAST, 'is missing')],
  ['a row of NULL', { [LAST]: 'NULL', 'Provider First Name': 'NULL' }, bad(LAST, 'is missing')],
  ['no NPI', { NPI: '' }, { ...bad('NPI', 'is missing'), npi: null }],
  ['a wrong check digit', { NPI: '2000123456' }, { ...bad('NPI', NOT_AN_NPI), npi: null }],
  ['an NPI of nine digits', { NPI: '200012345' }, { ...bad('NPI', NOT_AN_NPI), npi: null }],
  [
    'a deactivation on no day',
    { 'Entity Type Code': '', [DEACTIVATED_ON]: 'yes' },
    bad(DEACTIVATED_ON, NOT_A_DAY),
  ],
  ['a surname of 101 characters', { [LAST]: 'A'.repeat(101) }, bad(LAST, 'is longer than 100 characters')],
  ['a control character in the surname', { [LAST]: 'GAR\u0007CIA' }, bad(LAST, CONTROL)],
];

/** Values that are put into the row of a nurse, how the record differs, and the field that is lost. */
const LOST: readonly (readonly [
  name: string,
  values: Values,
  changes: Partial<ClinicianRecord>,
  field: string,
  reason: string,
])[] = [
  ['a text that is no code', { [CODE(2)]: 'NURSE', [SWITCH(2)]: 'Y' }, {}, CODE(2), NOT_A_CODE],
  ['a code of another form', { [CODE(1)]: '173000000Z' }, { codes: [] }, CODE(1), NOT_A_CODE],
  ['a code of 200 characters', { [CODE(2)]: '2'.repeat(200) }, {}, CODE(2), TOO_LONG],
  ['a long switch', { [SWITCH(1)]: 'Y'.repeat(200) }, {}, SWITCH(1), TOO_LONG],
  ['a state that is none', { [STATE]: 'XX' }, { state: null }, STATE, 'is not a state'],
  ['a long country', { [COUNTRY]: 'U'.repeat(200) }, { state: null, postalCode: null }, COUNTRY, TOO_LONG],
  ['a short ZIP', { [ZIP]: '2118' }, { postalCode: null }, ZIP, NOT_A_ZIP],
  ['a ZIP of zeros', { [ZIP]: '000000000' }, { postalCode: null }, ZIP, NOT_A_ZIP],
  ['a day of ISO 8601', { [UPDATED]: '2025-12-31' }, { lastUpdatedOn: null }, UPDATED, NOT_A_DAY],
  [
    'a day that does not exist',
    { [ENUMERATED]: '02/30/2020' },
    { enumeratedOn: null },
    ENUMERATED,
    NOT_A_DAY,
  ],
  ['a credential of 5,000 characters', { [CREDENTIAL]: 'A'.repeat(5000) }, {}, CREDENTIAL, TOO_LONG],
  ['a control character in the city', { [CITY]: 'BOS\u0007TON' }, { city: null }, CITY, CONTROL],
];

/** Values with bytes of Latin-1, as which the row of a nurse is written, and how the record differs. */
const LATIN1: readonly (readonly [field: string, values: Values, changes: Partial<ClinicianRecord>])[] = [
  ['Provider First Name', { 'Provider First Name': 'JOSÉ' }, { firstName: null }],
  ['Provider Middle Name', { 'Provider Middle Name': 'É' }, {}],
  ['Provider Name Suffix Text', { 'Provider Name Suffix Text': '3º' }, {}],
  [CREDENTIAL, { [CREDENTIAL]: 'R.N.®' }, {}],
  [CITY, { [CITY]: 'PEÑUELAS' }, { city: null }],
  [STATE, { [STATE]: 'MÀ' }, { state: null }],
  [ZIP, { [ZIP]: '02118º' }, { postalCode: null }],
  [COUNTRY, { [COUNTRY]: 'ÜS' }, { state: null, postalCode: null }],
  [CODE(1), { [CODE(1)]: '163W00000É' }, { codes: [] }],
  [SWITCH(1), { [SWITCH(1)]: 'Ý' }, {}],
  [UPDATED, { [UPDATED]: '12/31/2025º' }, { lastUpdatedOn: null }],
  ['Provider Other Last Name', { 'Provider Other Last Name': 'MUÑOZ', [OTHER_TYPE]: '1' }, {}],
  [OTHER_TYPE, { 'Provider Other Last Name': 'LOPEZ', [OTHER_TYPE]: '¹' }, {}],
];

function latin1(values: Values): Buffer {
  return Buffer.from(csvOf([values]), 'latin1');
}

function fail(): never {
  throw new Error('the taxonomy is empty');
}

function bad(field: string, reason: string): Record<string, unknown> {
  return { kind: 'bad', line: 2, npi: ANA.npi, field, reason };
}

describe('a row of a dissemination file', () => {
  test.each(RECORDS)('with %s is a clinician', async (_, values, changes) => {
    expect(await rowOf(values)).toEqual({ kind: 'clinician', record: { ...ANA, ...changes } });
  });

  test.each(OTHERS)('with %s is none', async (_, values, row) => {
    expect<unknown>(await rowOf(values)).toEqual(row);
  });

  test.each(LOST)('with %s loses that field only', async (_, values, changes, field, reason) => {
    expect(await contentsOf(write('npidata.csv', csvOf([{ ...NURSE, ...values }])))).toEqual({
      rows: [{ kind: 'clinician', record: { ...ANA, ...changes } }],
      lost: [{ line: 2, npi: ANA.npi, field, reason }],
    });
  });

  test.each(LATIN1)(
    'with bytes that are not UTF-8 in %s loses that field only',
    async (field, values, changes) => {
      expect(await contentsOf(write('npidata.csv', latin1({ ...NURSE, ...values })))).toEqual({
        rows: [{ kind: 'clinician', record: { ...ANA, ...changes } }],
        lost: [{ line: 2, npi: ANA.npi, field, reason: NOT_UTF8 }],
      });
    },
  );

  test('of a clinician of another grouping loses the code that is the cause', async () => {
    const [{ grouping } = fail()] = embeddedTaxonomy();
    const options = { groupings: [grouping], taxonomy: embeddedTaxonomy() };
    const path = write('npidata.csv', csvOf([{ ...NURSE, [CODE(1)]: 'NURSE' }]));
    expect(await contentsOf(path, options)).toEqual({
      rows: [{ kind: 'left_out', npi: ANA.npi, reason: 'grouping' }],
      lost: [{ line: 2, npi: ANA.npi, field: CODE(1), reason: NOT_A_CODE }],
    });
  });

  test('with bytes that are not UTF-8 is bad if they are in a required column', async () => {
    const values = { [LAST]: 'MUÑOZ', 'Provider First Name': 'JOSÉ' };
    const contents = await contentsOf(write('npidata.csv', latin1({ ...NURSE, ...values })));
    expect<unknown>(contents).toEqual({ rows: [bad(LAST, NOT_UTF8)], lost: [] });
    expect<unknown>(await read(latin1({ ...NURSE, NPI: '200012345À' }))).toEqual([
      { ...bad('NPI', NOT_UTF8), npi: null },
    ]);
  });

  test('with bytes that are not UTF-8 in a column that is not read loses nothing', async () => {
    const values = { ...NURSE, 'Provider Business Mailing Address City Name': 'PEÑUELAS' };
    expect(await contentsOf(write('npidata.csv', latin1(values)))).toEqual({
      rows: [{ kind: 'clinician', record: ANA }],
      lost: [],
    });
  });

  test('loses no field of another row', async () => {
    const contents = await contentsOf(write('npidata.csv', csvOf([{ ...NURSE, [ZIP]: 'X' }, NURSE])));
    expect(contents.lost.map(({ line }) => line)).toEqual([2]);
    expect(contents.rows[1]).toEqual({ kind: 'clinician', record: ANA });
  });

  test('with a day of reactivation is a clinician, and says the day', async () => {
    const values = { [DEACTIVATED_ON]: '01/02/2020', 'NPI Reactivation Date': '02/03/2021' };
    expect(await rowOf(values)).toEqual({ kind: 'clinician', record: ANA, reactivatedOn: '2021-02-03' });
  });

  test('with all 15 codes has them all', async () => {
    const codes = Array.from({ length: 15 }, (_, index) => `207Q0000${index.toString(16).toUpperCase()}X`);
    const values = Object.fromEntries(codes.map((code, index) => [CODE(index + 1), code]));
    const row = await rowOf({ ...values, [SWITCH(1)]: 'N', [SWITCH(15)]: 'Y' });
    const [last = ''] = codes.slice(-1);
    expect(row).toEqual({ kind: 'clinician', record: { ...ANA, codes: [last, ...codes.slice(0, -1)] } });
  });

  test('does not spoil the rows around it', async () => {
    const rows = await read(
      quotedLine(V2_HEADER) +
        rowLine(NURSE) +
        rowLine({ ...NURSE, [LAST]: 'A"B' }).replace('A""B', 'A"B') +
        rowLine(NURSE).replace('"GARCIA",', '') +
        rowLine({ ...NURSE, 'Provider Credential Text': 'X'.repeat(10 * 2 ** 20) }) +
        rowLine(NURSE),
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['clinician', 'bad', 'bad', 'bad', 'clinician']);
    expect(rows.flatMap((row) => (row.kind === 'bad' ? `${row.line} ${row.reason}` : []))).toEqual([
      '3 column 6 has a quote that is not doubled',
      '4 the row has 329 columns instead of 330',
      '5 the row is longer than 256 KiB',
    ]);
  });
});

describe('a dissemination file', () => {
  const text = csvOf([NURSE]);
  const name = 'npidata_pfile_20050523-20261108.csv';

  test('is read with the header of V1, of V2, in another order and with a BOM', async () => {
    const reversed = [...V2_HEADER].reverse();
    for (const [header, version] of [
      [V1_HEADER, 'V1'],
      [V2_HEADER, 'V2'],
      [reversed, 'V2'],
    ] as const) {
      const path = write(name, `\ufeff${csvOf([NURSE], header)}`);
      expect(await rowsOf(path)).toEqual([{ kind: 'clinician', record: ANA }]);
      expect((await parseDissemination(path, ALL)).facts.header).toBe(version);
    }
  });

  test('says its day, its period and its size', async () => {
    const facts = async (file: string): Promise<unknown> =>
      (await parseDissemination(write(file, text), ALL)).facts;
    expect(await facts(name)).toEqual({
      name,
      asOf: '2026-11-08',
      period: 'full',
      header: 'V2',
      bytes: text.length,
    });
    expect(await facts('npidata_pfile_20261109-20261115.csv')).toMatchObject({
      asOf: '2026-11-15',
      period: 'weekly',
    });
    expect(await facts('npidata_pfile_20261109-20261301.csv')).toMatchObject({ asOf: null, period: null });
    expect(await facts('some.csv')).toMatchObject({ asOf: null, period: null });
  });

  test('is found in a zip and a ZIP64, compressed or stored, whatever else is there', async () => {
    const files = {
      'NPPES_Data_Dissemination_Readme.pdf': '%PDF',
      'npidata_pfile_20050523-20261108_fileheader.csv': text.split('\n')[0] ?? '',
      [name]: text,
      'endpoint_pfile_20050523-20261108.csv': 'x',
      'othername_pfile_20050523-20261108.csv': 'x',
      'pl_pfile_20050523-20261108.csv': 'x',
    };
    for (const options of [{}, { zip64: true }, { stored: true }]) {
      const path = write('NPPES_Data_Dissemination_November_2026_V2.zip', await zipOf(files, options));
      expect(await rowsOf(path)).toEqual([{ kind: 'clinician', record: ANA }]);
      const { facts } = await parseDissemination(path, ALL);
      expect(facts).toEqual({ name, asOf: '2026-11-08', period: 'full', header: 'V2', bytes: text.length });
    }
  });

  const refused = (path: string): Promise<string> => refusalOf(rowsOf(path));

  test('without columns that are needed is refused with their names', async () => {
    const header = V2_HEADER.filter((column) => column !== 'NPI Reactivation Date' && column !== STATE);
    expect(await refused(write('a.csv', csvOf([NURSE], header)))).toBe(
      `a.csv is not a dissemination file of NPPES: its first line does not name the columns "${STATE}", "NPI Reactivation Date"`,
    );
    expect(await refused(write('b.csv', 'NPI,Provider Other Organization Name\n'))).toMatch(
      /"Entity Type Code", .* and 41 more$/,
    );
    expect(await refused(write('c.csv', rowLine(NURSE)))).toMatch(
      /^c.csv is not a dissemination file of NPPES/,
    );
    expect(await refused(write('d.csv', '"NPI","\n'))).toBe(
      'd.csv does not begin with a line of column names',
    );
    expect(await refused(write('e.csv', ''))).toBe('e.csv is empty or not a file');
    expect(await refused(write('npidata_pfile_20050523-20261108_FileHeader.csv', text))).toMatch(
      /contains only the header$/,
    );
    expect(await refused('/nowhere/npidata.csv')).toBe(
      '/nowhere/npidata.csv cannot be read: the file does not exist',
    );
  });

  test('that ends in the middle of a row is refused', async () => {
    const path = write('cut.csv', csvOf([NURSE, NURSE]).slice(0, -400));
    expect(await refused(path)).toBe('cut.csv ends in the middle of line 3, so that it is not complete');
  });

  test('whose columns have another order is read after a damaged row', async () => {
    const reversed = [...V2_HEADER].reverse();
    const damaged = rowLine(NURSE, reversed).replace('"GARCIA"', '"GAR"CIA"');
    const path = write('r.csv', quotedLine(reversed) + damaged + rowLine(NURSE, reversed));
    expect((await rowsOf(path)).map(({ kind }) => kind)).toEqual(['bad', 'clinician']);
  });

  test('in a damaged zip is refused', async () => {
    const many = csvOf(
      Array.from({ length: 500 }, (_, index) => ({ ...NURSE, NPI: String(madeUpNpi(index)) })),
    );
    const zip = await zipOf({ [name]: many });
    const cut = write('cut.zip', zip);
    truncateSync(cut, zip.length - 200);
    expect(await refused(cut)).toMatch(/^cut.zip is not a complete zip file: /);
    const flipped = Buffer.from(zip);
    flipped.writeUInt8(flipped.readUInt8(zip.length >> 1) ^ 0x55, zip.length >> 1);
    expect(await refused(write('flipped.zip', flipped))).toMatch(
      /^flipped.zip is not a complete zip file: |quote|columns/,
    );
    const stored = await zipOf({ [name]: many }, { stored: true });
    const digit = stored.indexOf('DOVER');
    stored.write('LOVER', digit);
    expect(await refused(write('stored.zip', stored))).toBe(
      `stored.zip is not a complete zip file: the checksum of ${name} is wrong`,
    );
  });

  test('that a zip does not contain, or contains twice, is refused', async () => {
    const none = write('none.zip', await zipOf({ 'pl_pfile_20050523-20261108.csv': 'x', 'a.pdf': 'x' }));
    expect(await refused(none)).toBe(
      'none.zip does not contain npidata_pfile_….csv, only pl_pfile_20050523-20261108.csv, a.pdf',
    );
    const empty = write('empty.zip', await zipOf({}));
    expect(await refused(empty)).toBe('empty.zip does not contain npidata_pfile_….csv: it is empty');
    const twice = write(
      'twice.zip',
      await zipOf({ [name]: text, 'npidata_pfile_20261109-20261115.csv': text }),
    );
    expect(await refused(twice)).toMatch(/^twice.zip contains two files of rows: /);
  });
});

test('a day in bytes is the same as in text', () => {
  const cache = new DayCache();
  const two = fc.integer({ min: 0, max: 40 }).map((number) => String(number).padStart(2, '0'));
  const year = fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, '0'));
  const day = fc.tuple(two, two, year).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(
      fc.oneof(day, fc.string(), fc.constantFrom('1/02/20200', '01-02-2020', '0a/02/2020')),
      (text) => {
        const bytes = Buffer.from(` ${text} `);
        expect(cache.at(bytes, 1, bytes.length - 1)).toBe(dayOf(text));
        expect(cache.at(bytes, 1, bytes.length - 1)).toBe(dayOf(text));
      },
    ),
  );
});
