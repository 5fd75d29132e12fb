import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readDeactivated } from '../../../../src/staffing/nppes/deactivated/read-deactivated.ts';
import { nameOf, type Plan, partsOf } from '../../../../src/staffing/nppes/generate/files.ts';
import { HEADER } from '../../../../src/staffing/nppes/generate/header.ts';
import { type MadeUpRow, madeUpRow } from '../../../../src/staffing/nppes/generate/made-up-rows.ts';
import { headerText, RowText } from '../../../../src/staffing/nppes/generate/row-text.ts';
import type { NppesRow } from '../../../../src/staffing/nppes/rows.ts';
import { fileDirectory, rowsOf } from '../../../support/nppes.ts';

const { write, dispose } = fileDirectory();
afterAll(dispose);

const FULL: Plan = { kind: 'full', rows: 4000, of: 4000, week: 1, seed: 1 };
const WEEKLY: Plan = { kind: 'weekly', rows: 400, of: 4000, week: 1, seed: 1 };
const DEACTIVATED: Plan = { kind: 'deactivated', rows: 4000, of: 4000, week: 1, seed: 1 };

const textOf = (plan: Plan): string => [...partsOf(plan)].map(({ text }) => text).join('');
const read = (plan: Plan): Promise<NppesRow[]> => rowsOf(write(nameOf(plan), textOf(plan)));
const npiOf = (row: NppesRow): number | null => (row.kind === 'clinician' ? row.record.npi : row.npi);

/** What a reader is to make of a made-up row. */
function expected(row: MadeUpRow): NppesRow {
  if (row.kind === 'organization') return { kind: 'left_out', npi: row.npi, reason: 'organization' };
  if (row.kind === 'deactivated') return { kind: 'removed', npi: row.npi, deactivatedOn: row.deactivatedOn };
  const { record, reactivated } = row;
  return reactivated === null
    ? { kind: 'clinician', record }
    : { kind: 'clinician', record, reactivatedOn: reactivated[1] };
}

describe('a generated file', () => {
  test('has the 330 columns of a V2 file', () => {
    expect(HEADER).toHaveLength(330);
    expect(new Set(HEADER).size).toBe(330);
    expect(HEADER.slice(-1)).toEqual(['Certification Date']);
  });

  test('is read as what was made up, whatever the seed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2 ** 31 - 1), fc.nat(40_000_000), async (seed, from) => {
        const lines = new RowText();
        const rows = Array.from({ length: 50 }, (_, index) => from + index);
        const text = headerText() + rows.map((index) => lines.of(madeUpRow(index, seed))).join('');
        const made = rows.map((index) => expected(madeUpRow(index, seed)));
        expect(await rowsOf(write('some.csv', text))).toEqual(made);
      }),
      { numRuns: 40 },
    );
  });

  test('has the same bytes for the same seed, others for another, and the rows of a shorter one', () => {
    const text = textOf({ ...FULL, rows: 300 });
    expect(textOf({ ...FULL, rows: 300 })).toBe(text);
    expect(textOf({ ...FULL, rows: 300, seed: 2 })).not.toBe(text);
    expect(textOf({ ...FULL, rows: 301 }).startsWith(text)).toBe(true);
    expect(text.split('\n')).toHaveLength(302);
  });

  test('has what real files have', async () => {
    const rows = await read(FULL);
    const share = (is: (row: NppesRow) => boolean): number => rows.filter(is).length / rows.length;
    expect(rows).toHaveLength(4000);
    expect(new Set(rows.map(npiOf)).size).toBe(4000);
    expect(share(({ kind }) => kind === 'clinician')).toBeGreaterThan(0.95);
    expect(share(({ kind }) => kind === 'left_out')).toBeGreaterThan(0.01);
    expect(share(({ kind }) => kind === 'removed')).toBeGreaterThan(0.005);
    expect(share((row) => row.kind === 'clinician' && row.record.codes.length > 1)).toBeGreaterThan(0.1);
    expect(share((row) => row.kind === 'clinician' && row.record.formerNames.length > 0)).toBeGreaterThan(
      0.04,
    );
    expect(share((row) => row.kind === 'clinician' && row.reactivatedOn !== undefined)).toBeGreaterThan(0);
    expect(
      rows.some(
        (row) => row.kind === 'clinician' && row.record.city === 'PERTH' && row.record.state === null,
      ),
    ).toBe(true);
    expect(
      new Set(rows.map((row) => (row.kind === 'clinician' ? row.record.lastName : ''))).size,
    ).toBeGreaterThan(1500);
  });

  test('has as many organizations and deactivated NPIs as a file of CMS, if that is asked for', async () => {
    const rows = await read({ ...FULL, mix: 'cms' });
    const share = (is: NppesRow['kind']): number =>
      rows.filter(({ kind }) => kind === is).length / rows.length;
    expect(share('left_out')).toBeWithin(0.2, 0.24);
    expect(share('removed')).toBeWithin(0.03, 0.05);
    const listed = await readDeactivated(write(nameOf(DEACTIVATED), textOf({ ...DEACTIVATED, mix: 'cms' })));
    const isListed = new Set(listed.npis.map(({ npi }) => npi));
    expect(rows.filter((row) => row.kind === 'removed' && !isListed.has(row.npi))).toEqual([]);
  });

  test('has as many distinct names and sets of codes as 58,000 individuals of NPPES', () => {
    const distinct = {
      codes: new Set<string>(),
      firstNames: new Set<string>(),
      lastNames: new Set<string>(),
    };
    let individuals = 0;
    for (let index = 0; individuals < 58_000; index++) {
      const row = madeUpRow(index, 1, 'cms');
      if (row.kind !== 'individual') continue;
      individuals++;
      distinct.codes.add(row.record.codes.join(' '));
      distinct.firstNames.add(row.record.firstName ?? '');
      distinct.lastNames.add(row.record.lastName);
    }
    expect(distinct.codes.size).toBeWithin(8000, 12_000);
    expect(distinct.firstNames.size).toBeWithin(7500, 8500);
    expect(distinct.lastNames.size).toBeWithin(31_000, 33_000);
  });

  test('of a week changes, adds and deactivates NPIs of the full file, each once', async () => {
    const before = new Map((await read(FULL)).map((row) => [npiOf(row), row]));
    const rows = await read(WEEKLY);
    expect(rows).toHaveLength(400);
    expect(new Set(rows.map(npiOf)).size).toBe(400);
    const fresh = rows.filter((row) => !before.has(npiOf(row)));
    expect(fresh).toHaveLength(100);
    expect(fresh.every(({ kind }) => kind === 'clinician')).toBe(true);
    expect(
      rows.filter((row) => row.kind === 'removed' && before.get(row.npi)?.kind === 'clinician').length,
    ).toBeGreaterThan(5);
    const renamed = rows.flatMap((row) => {
      const former = before.get(npiOf(row));
      if (row.kind !== 'clinician' || former?.kind !== 'clinician') return [];
      return row.record.lastName === former.record.lastName
        ? []
        : [[row.record.formerNames, [former.record.lastName]]];
    });
    expect(renamed.length).toBeGreaterThan(20);
    for (const [now, then] of renamed) expect(now).toEqual(then);
    const others = (await read({ ...WEEKLY, week: 2 })).filter((row) => !before.has(npiOf(row)));
    expect(others.filter((row) => fresh.some((one) => npiOf(one) === npiOf(row)))).toEqual([]);
  });

  test('of a week has new NPIs when the full file has fewer rows', async () => {
    const rows = await read({ ...WEEKLY, rows: 50, of: 10 });
    expect(new Set(rows.map(npiOf)).size).toBe(50);
  });

  test('of deactivated NPIs has those of the full file, and more', async () => {
    const full = await read(FULL);
    const { asOf, npis, bad } = await readDeactivated(write(nameOf(DEACTIVATED), textOf(DEACTIVATED)));
    expect([asOf, bad]).toEqual(['2026-01-12', []]);
    const listed = new Map(npis.map(({ npi, deactivatedOn }) => [npi, deactivatedOn]));
    const removed = full.flatMap((row) => (row.kind === 'removed' ? [row] : []));
    expect(removed.map(({ npi }) => listed.get(npi))).toEqual(
      removed.map(({ deactivatedOn }) => deactivatedOn),
    );
    expect(npis.length).toBeGreaterThan(removed.length);
  });

  test('has the name that CMS would give it', () => {
    expect([FULL, WEEKLY, { ...WEEKLY, week: 2 }, DEACTIVATED].map(nameOf)).toEqual([
      'npidata_pfile_20050523-20260111.csv',
      'npidata_pfile_20260112-20260118.csv',
      'npidata_pfile_20260119-20260125.csv',
      'NPPES_Deactivated_NPI_Report_20260112.csv',
    ]);
  });
});
