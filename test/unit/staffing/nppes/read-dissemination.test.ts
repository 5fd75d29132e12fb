import { afterAll, describe, expect, test } from 'bun:test';
import { Failure } from '../../../../src/platform/failure.ts';
import { partsOf } from '../../../../src/staffing/nppes/generate/files.ts';
import { readDissemination } from '../../../../src/staffing/nppes/read-dissemination.ts';
import { RowTexts, textOf } from '../../../../src/staffing/nppes/reading/batch-text.ts';
import type { NppesRow } from '../../../../src/staffing/nppes/rows.ts';
import { embeddedTaxonomy } from '../../../../src/staffing/registry/vocabulary/taxonomy.ts';
import { ALL, ANA, csvOf, fileDirectory, NURSE, rowsOf } from '../../../support/nppes.ts';

const { write, dispose } = fileDirectory();
afterAll(dispose);

const text = [...partsOf({ kind: 'full', rows: 12_000, of: 12_000, week: 1, seed: 3 })]
  .map((part) => part.text)
  .join('');
const path = write('npidata_pfile_20050523-20260111.csv', `${text}"2000000000","1"\n`);

describe('a dissemination file that a Worker parses', () => {
  test('has the same rows as one that this thread parses, in the same order, and reports its bytes', async () => {
    const reading = await readDissemination(path, ALL);
    const rows: NppesRow[] = [];
    let bytes = 0;
    for await (const batch of reading) {
      expect(batch.bytesRead).toBeGreaterThan(bytes);
      bytes = batch.bytesRead;
      rows.push(...batch.rows);
    }
    expect(bytes).toBe(reading.facts.bytes);
    expect(rows).toEqual(await rowsOf(path));
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(
      new Set(['clinician', 'left_out', 'removed', 'bad']),
    );
  });

  test('keeps only the clinicians of the groupings that were named', async () => {
    const groupings = ['Dental Providers'];
    const options = { groupings, taxonomy: embeddedTaxonomy() };
    const rows: NppesRow[] = [];
    for await (const batch of await readDissemination(path, options)) rows.push(...batch.rows);
    const dental = new Set(
      options.taxonomy.filter(({ grouping }) => groupings.includes(grouping)).map(({ code }) => code),
    );
    const kept = rows.flatMap((row) => (row.kind === 'clinician' ? [row.record] : []));
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.filter(({ codes }) => !codes.some((code) => dental.has(code)))).toEqual([]);
    expect(rows.filter((row) => row.kind === 'left_out' && row.reason === 'grouping').length).toBeGreaterThan(
      1000,
    );
  });

  test('waits for its reader', async () => {
    const reading = await readDissemination(path, ALL);
    const batches = reading[Symbol.asyncIterator]();
    const { value } = await batches.next();
    expect(value.rows).toHaveLength(2048);
    await batches.return?.();
    reading.close();
  });

  test('is refused as in this thread, before its first row and after it', async () => {
    const refusal = await errorOf(readDissemination(write('a.csv', 'NPI\n'), ALL));
    expect(refusal).toBeInstanceOf(Failure);
    expect(String(refusal)).toContain('a.csv is not a dissemination file of NPPES');
    const cut = await readDissemination(write('cut.csv', csvOf([NURSE, NURSE]).slice(0, -9)), ALL);
    const first = await errorOf(cut[Symbol.asyncIterator]().next());
    expect(String(first)).toContain('cut.csv ends in the middle of line 3');
  });
});

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

test('rows come out of a text as they went in', () => {
  const rows: NppesRow[] = [
    { kind: 'clinician', record: ANA },
    {
      kind: 'clinician',
      record: { ...ANA, formerNames: ['A', 'B C'], codes: [], state: null },
      reactivatedOn: '2020-01-02',
    },
    { kind: 'bad', line: 7, npi: null, field: null, reason: 'a quote is not closed' },
    { kind: 'bad', line: 8, npi: 2000000010, field: 'NPI', reason: 'is missing' },
    { kind: 'removed', npi: 2000000010, deactivatedOn: '2020-01-02' },
    { kind: 'left_out', npi: 2000000010, reason: 'grouping' },
    { kind: 'left_out', npi: 2000000028, reason: 'organization' },
  ];
  expect(new RowTexts().rowsOf(textOf(rows))).toEqual(rows);
  expect(new RowTexts().rowsOf('')).toEqual([]);
});
