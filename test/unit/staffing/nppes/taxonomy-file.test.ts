import { afterAll, describe, expect, test } from 'bun:test';
import Papa from 'papaparse';
import { CLINICAL_GROUPINGS, groupingsOf } from '../../../../src/staffing/nppes/groupings.ts';
import { readTaxonomy } from '../../../../src/staffing/nppes/taxonomy-file.ts';
import { embeddedTaxonomy } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';
import { fileDirectory, refusalOf } from '../../../support/nppes.ts';

const { write, dispose } = fileDirectory();
afterAll(dispose);

const TAXONOMY = embeddedTaxonomy();
const COLUMNS = [
  'Code',
  'Grouping',
  'Classification',
  'Specialization',
  'Definition',
  'Notes',
  'Display Name',
  'Section',
];
const ROWS = TAXONOMY.map((entry) => [
  entry.code,
  entry.grouping,
  entry.classification,
  entry.specialization ?? '',
  'A "definition",\nof two lines – with a dash.',
  '',
  entry.name,
  'Individual',
]);
const csv = (rows: readonly (readonly string[])[], columns: readonly string[] = COLUMNS): string =>
  Papa.unparse([columns, ...rows].map((row) => [...row]));

describe('the file of the taxonomy', () => {
  test('is read in UTF-8 with a BOM and in Windows-1252, with its version', () => {
    expect(readTaxonomy(write('nucc_taxonomy_251.csv', `\ufeff${csv(ROWS)}`))).toEqual({
      entries: TAXONOMY,
      version: '25.1',
    });
    const rows = ROWS.with(0, [...(ROWS[0] ?? []).slice(0, 6), 'Café', 'Individual']);
    const latin1 = Buffer.from(csv(rows).replaceAll('–', '-'), 'latin1');
    const { entries, version } = readTaxonomy(write('taxonomy.csv', latin1));
    expect([entries[0]?.name, entries.length, version]).toEqual(['Café', TAXONOMY.length, null]);
  });

  test('is read with columns in another order', () => {
    const reversed = csv(
      ROWS.map((row) => [...row].reverse()),
      [...COLUMNS].reverse(),
    );
    expect(readTaxonomy(write('nucc_taxonomy_260.csv', reversed))).toEqual({
      entries: TAXONOMY,
      version: '26.0',
    });
  });

  test('is refused with what is wrong', async () => {
    const refused = (text: string): Promise<string> =>
      refusalOf((async () => readTaxonomy(write('t.csv', text)))()).then((message) =>
        message.replace(/^.*NUCC: /, ''),
      );
    const [first = []] = ROWS;
    expect(await refused(csv(ROWS.slice(0, 499)))).toBe(
      'it has 499 codes, and the taxonomy has more than 500',
    );
    expect(await refused(csv(ROWS, COLUMNS.with(6, 'Name')))).toBe(
      'its first line does not name Display Name',
    );
    expect(await refused(csv([...ROWS, first]))).toBe('it has a code twice');
    expect(await refused(csv([...ROWS, first.with(0, 'NURSE')]))).toBe('"NURSE" is not a code');
    expect(await refused(csv([...ROWS, first.with(0, '999999999X').with(6, ' ')]))).toBe(
      'the code 999999999X has no grouping, classification or display name',
    );
    expect(await refused('')).toMatch(/^its first line does not name Code, /);
  });
});

describe('groupings', () => {
  test('are all, clinical, or named in any case, separated by semicolons or commas', () => {
    expect(groupingsOf('all', TAXONOMY)).toBeNull();
    expect(groupingsOf('Clinical', TAXONOMY)).toEqual([...CLINICAL_GROUPINGS].sort());
    expect(groupingsOf('nursing  service providers; Dental Providers', TAXONOMY)).toEqual([
      'Dental Providers',
      'Nursing Service Providers',
    ]);
    expect(groupingsOf('dental providers,Chiropractic Providers', TAXONOMY)).toEqual([
      'Chiropractic Providers',
      'Dental Providers',
    ]);
    expect(groupingsOf('Speech, Language and Hearing Service Providers', TAXONOMY)).toEqual([
      'Speech, Language and Hearing Service Providers',
    ]);
    expect(groupingsOf('student, health care;clinical', TAXONOMY)).toHaveLength(
      CLINICAL_GROUPINGS.length + 1,
    );
  });

  test('that the taxonomy does not have are refused with the nearest', async () => {
    const refused = (text: string): Promise<string> => refusalOf((async () => groupingsOf(text, TAXONOMY))());
    expect(await refused('nursing')).toBe(
      'the taxonomy has no grouping "nursing"; the nearest are "Nursing Service Providers", "Nursing Service Related Providers", "Nursing & Custodial Care Facilities"',
    );
    expect(await refused('dentel providers')).toMatch(/nearest are "Dental Providers", /);
    expect(await refused(' ; ')).toBe('no grouping is named');
  });

  test('of clinicians are in the taxonomy, and are not those of students and organizations', () => {
    const known = new Set(TAXONOMY.map(({ grouping }) => grouping));
    expect(CLINICAL_GROUPINGS.filter((name) => !known.has(name))).toEqual([]);
    expect(CLINICAL_GROUPINGS).not.toContain('Student, Health Care');
    expect(CLINICAL_GROUPINGS).not.toContain('Hospitals');
  });
});
