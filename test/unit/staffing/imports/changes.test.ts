import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEntries } from '../../../../src/staffing/registry/amend.ts';
import { currentRegistry, formerRegistry } from '../../../../src/staffing/registry/current.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { openTestImports, type TestImports } from '../../../support/imports.ts';
import {
  deactivatedRow,
  monthlyName,
  type PublishedRow,
  rowOf,
  weeklyName,
  writeDeactivated,
  writePublished,
} from '../../../support/published-files.ts';

const clinicians = [...madeUpClinicians(60, 4)];
const all = clinicians.map(rowOf);
const npiAt = (index: number): number => Number(all[index]?.NPI);
/** The first 50 are in the monthly file. */
const MONTHLY = all.slice(0, 50);

let imports: TestImports;
beforeEach(async () => {
  imports = openTestImports();
  const npi = writePublished(imports.files, monthlyName('2026-03-08'), MONTHLY);
  expect(await imports.run({ npi })).toMatchObject({ outcome: 'done', records: 50 });
});
afterEach(() => imports.close());

const weekly = (rows: PublishedRow[], last = '2026-03-15'): string => {
  const first = new Date(Date.parse(last) - 6 * 86_400_000).toISOString().slice(0, 10);
  return writePublished(imports.files, weeklyName(first, last), rows);
};
const renamed = (index: number): PublishedRow => ({
  ...all[index],
  'Provider Last Name (Legal Name)': 'RENAMED',
});
const current = (): string => currentRegistry(imports.registry) ?? '';
/** Whether clinicians are in the current registry, by their indexes. */
const present = (...indexes: number[]): boolean[] =>
  indexes.map((index) => readEntries(join(imports.registry, current()), [npiAt(index)]).length === 1);

describe('a weekly file', () => {
  test('adds, updates and removes clinicians in the current file', async () => {
    const name = current();
    const organization = { ...all[2], 'Entity Type Code': '2' };
    const rows = [
      all[55] ?? {},
      renamed(0),
      all[1] ?? {},
      organization,
      deactivatedRow(npiAt(3), '2026-03-10'),
    ];
    const report = await imports.run({ npi: weekly(rows) });
    expect(report).toMatchObject({
      kind: 'weekly',
      outcome: 'done',
      registry: name,
      as_of: '2026-03-15',
      previous_as_of: '2026-03-08',
      added: 1,
      updated: 1,
      removed: 2,
      unchanged: 1,
      records: 49,
      rows: { read: 5, clinicians: 3, organizations: 1, deactivated: 1 },
      warnings: [],
    });
    expect(current()).toBe(name);
    expect(present(55, 0, 1, 2, 3)).toEqual([true, true, true, false, false]);
    expect(formerRegistry(imports.registry)).toBeNull();
  });

  test.each(['2026-03-01', '2026-03-08'])('as of %s is refused, even with --force', async (last) => {
    const report = await imports.run({ npi: weekly([renamed(0)], last), isForced: true });
    expect(report).toMatchObject({ outcome: 'refused', hint: expect.stringContaining('newer') });
    expect(present(0)).toEqual([true]);
  });

  test('after a gap of more than a week is applied with a warning', async () => {
    const report = await imports.run({ npi: weekly([renamed(0)], '2026-03-29') });
    expect(report).toMatchObject({ outcome: 'done', warnings: [expect.stringContaining('21 days newer')] });
  });

  test('that removes more than 5 % of the clinicians is refused without --force', async () => {
    const npi = weekly([0, 1, 2].map((index) => deactivatedRow(npiAt(index), '2026-03-10')));
    expect(await imports.run({ npi })).toMatchObject({
      outcome: 'refused',
      problem: expect.stringContaining('3 of 50'),
    });
    expect(present(0, 1, 2)).toEqual([true, true, true]);
    expect(await imports.run({ npi, isForced: true })).toMatchObject({ removed: 3, as_of: '2026-03-15' });
  });

  test.each([
    ['only a header', []],
    ['bad rows only', Array.from({ length: 3000 }, () => ({ ...all[0], NPI: '' }))],
  ])('with %s is refused, even with --force, so that the right one is not too old', async (_, rows) => {
    expect(await imports.run({ npi: weekly(rows), isForced: true })).toMatchObject({
      outcome: 'refused',
      problem: expect.stringContaining('has no valid row'),
      rows: { read: rows.length, bad: rows.length },
    });
    expect(await imports.run({ npi: weekly([renamed(0)]) })).toMatchObject({ outcome: 'done', updated: 1 });
  });

  test('of the future is refused, even with --force, so that later ones are not too old', async () => {
    expect(await imports.run({ npi: weekly([renamed(0)], '2999-01-06'), isForced: true })).toMatchObject({
      kind: 'weekly',
      outcome: 'refused',
      problem: expect.stringContaining('as of 2999-01-06, which is in the future'),
    });
    expect(await imports.run({ npi: weekly([renamed(0)]) })).toMatchObject({ outcome: 'done', updated: 1 });
  });

  test('twice is refused the second time', async () => {
    const npi = weekly([renamed(0)]);
    await imports.run({ npi });
    expect(await imports.run({ npi })).toMatchObject({ outcome: 'refused' });
  });

  test('does not add suppressed clinicians, and no deactivated ones unless they were reactivated', async () => {
    const deactivated = writeDeactivated(imports.files, '2026-03-09', [
      [npiAt(51), '2026-01-01'],
      [npiAt(52), '2026-01-01'],
    ]);
    await imports.run({ deactivated });
    imports.suppressed.push(npiAt(50));
    const reactivated = { ...all[52], 'NPI Reactivation Date': '03/10/2026' };
    const report = await imports.run({ npi: weekly([all[50] ?? {}, all[51] ?? {}, reactivated]) });
    expect(report).toMatchObject({ added: 1, left_out: { suppressed: 1, deactivated: 1 } });
    expect(present(50, 51, 52)).toEqual([false, false, true]);
  });

  test('takes the last row of a clinician that it has twice', async () => {
    const report = await imports.run({
      npi: weekly([all[50] ?? {}, deactivatedRow(npiAt(50), '2026-03-10'), renamed(1), renamed(1)]),
    });
    expect(report).toMatchObject({ added: 0, updated: 1, left_out: { duplicates: 1 } });
    expect(present(50)).toEqual([false]);
  });

  test('with an option of a monthly file is refused', async () => {
    expect(await imports.run({ npi: weekly([renamed(0)]), groupings: 'clinical' })).toMatchObject({
      outcome: 'refused',
      problem: expect.stringContaining('--groupings'),
    });
  });

  test('without a date in its name is applied with --weekly and --as-of', async () => {
    const npi = writePublished(imports.files, 'changes.csv', [renamed(0)]);
    const report = await imports.run({ npi, isWeekly: true, asOf: '2026-03-15' });
    expect(report).toMatchObject({ kind: 'weekly', outcome: 'done', updated: 1 });
  });
});

test('a weekly file keeps the groupings of the registry', async () => {
  const npi = writePublished(imports.files, monthlyName('2026-04-12'), MONTHLY);
  const groupings = 'Nursing Service Providers';
  expect(await imports.run({ npi, groupings, isForced: true })).toMatchObject({ outcome: 'done' });
  const report = await imports.run({ npi: weekly(all, '2026-04-19') });
  expect(report).toMatchObject({ kind: 'weekly', outcome: 'done', groupings: [groupings] });
  expect(report.rows?.other_groupings).toBeGreaterThan(0);
  const others = clinicians.filter(
    ({ codes }) => !codes.some((code) => code.startsWith('163W') || code.startsWith('164')),
  );
  expect(
    readEntries(
      join(imports.registry, current()),
      others.map(({ npi: one }) => one),
    ),
  ).toEqual([]);
});

describe('the report of deactivations', () => {
  const report = (day: string, ...indexes: number[]): string =>
    writeDeactivated(
      imports.files,
      day,
      indexes.map((index) => [npiAt(index), '2026-01-15'] as const),
    );

  test('removes the clinicians that it names from the current file', async () => {
    const done = await imports.run({ deactivated: report('2026-03-09', 0, 1, 59) });
    expect(done).toMatchObject({ kind: 'deactivations', outcome: 'done', removed: 2, records: 48 });
    expect(done).toMatchObject({ as_of: '2026-03-08', deactivations_as_of: '2026-03-09' });
    expect(present(0, 1, 2)).toEqual([false, false, true]);
  });

  test('replaces the previous one, so that the next monthly file has whom it no longer names', async () => {
    await imports.run({ deactivated: report('2026-03-09', 0, 1) });
    await imports.run({ deactivated: report('2026-04-09', 1, 2) });
    const npi = writePublished(imports.files, monthlyName('2026-04-12'), MONTHLY);
    await imports.run({ npi });
    expect(present(0, 1, 2)).toEqual([true, false, false]);
  });

  test.each([
    ['no row', []],
    ['bad rows only', [[1, '2026-01-15']]],
  ] as const)('with %s has no effect, even with --force: it would end all deactivations', async (_, rows) => {
    await imports.run({ deactivated: report('2026-03-09', 0, 1) });
    const deactivated = writeDeactivated(imports.files, '2026-04-09', rows);
    for (const npi of [null, writePublished(imports.files, monthlyName('2026-04-12'), MONTHLY)]) {
      const failed = await imports.run({ npi, deactivated, isForced: true });
      expect([failed.outcome, failed.problem]).toEqual(['failed', expect.stringContaining('it has no NPIs')]);
    }
    const npi = writePublished(imports.files, monthlyName('2026-04-12'), MONTHLY);
    expect(await imports.run({ npi })).toMatchObject({ records: 48, left_out: { deactivated: 2 } });
  });

  test('of the future is refused, even with --force, so that later ones are not too old', async () => {
    const refused = await imports.run({ deactivated: report('2999-01-01', 0), isForced: true });
    expect([refused.outcome, refused.problem]).toEqual([
      'refused',
      expect.stringContaining('as of 2999-01-01, which is in the future'),
    ]);
    const misnamed = join(imports.files, 'NPPES_Deactivated_NPI_Report_030998.csv');
    const title = 'NPPES Deactivated Records as of Mar 09 2026,';
    writeFileSync(misnamed, `${title}\n${readFileSync(report('2026-03-09', 0), 'utf8')}`);
    expect(await imports.run({ deactivated: misnamed, isForced: true })).toMatchObject({
      outcome: 'refused',
      problem: expect.stringContaining('is as of 2098-03-09, which is in the future'),
    });
    expect(await imports.run({ deactivated: report('2026-03-09', 1) })).toMatchObject({ outcome: 'done' });
    expect(present(0, 1)).toEqual([true, false]);
  });

  test('that is older than the stored one is refused', async () => {
    await imports.run({ deactivated: report('2026-03-09', 0) });
    expect(await imports.run({ deactivated: report('2026-02-09', 1) })).toMatchObject({ outcome: 'refused' });
    expect(present(0, 1)).toEqual([false, true]);
  });

  test('that removes more than 5 % of the clinicians is refused without --force, and does not count', async () => {
    const deactivated = report('2026-03-09', 0, 1, 2);
    expect(await imports.run({ deactivated })).toMatchObject({
      outcome: 'refused',
      problem: 'the import would remove 3 of 50 clinicians: more than 5 %',
      hint: expect.stringContaining('--force'),
    });
    expect(present(0, 1, 2)).toEqual([true, true, true]);
    await imports.run({ npi: weekly([renamed(0), renamed(1)]) });
    expect(present(0, 1)).toEqual([true, true]);
    expect(await imports.run({ deactivated, isForced: true })).toMatchObject({ removed: 3, records: 47 });
    expect(present(0, 1, 2)).toEqual([false, false, false]);
  });

  test('counts only until a reactivation that an earlier file stated', async () => {
    const reactivated = { ...all[0], 'NPI Reactivation Date': '02/01/2026' };
    await imports.run({ npi: weekly([reactivated]) });
    await imports.run({ deactivated: report('2026-03-20', 0, 1) });
    expect(present(0, 1)).toEqual([true, false]);
  });

  test('with thousands of rows is stored completely', async () => {
    const many = [...madeUpClinicians(5001, 9)].map(({ npi }) => [npi, '2026-01-15'] as const);
    const deactivated = writeDeactivated(imports.files, '2026-03-09', many);
    expect(await imports.run({ deactivated, isForced: true })).toMatchObject({ outcome: 'done', records: 0 });
    const later = [...madeUpClinicians(5002, 9)].slice(5001).map(rowOf);
    const npi = writePublished(imports.files, monthlyName('2026-04-12'), [...all, ...later]);
    expect(await imports.run({ npi })).toMatchObject({ records: 1, left_out: { deactivated: 60 } });
  });
});

describe('a rollback', () => {
  const april = (): Promise<unknown> =>
    imports.run({ npi: writePublished(imports.files, monthlyName('2026-04-12'), all) });

  test('serves the former file again, and a second one the newer file', async () => {
    const first = current();
    await april();
    const second = current();
    expect(await imports.run({ isRollback: true })).toMatchObject({
      kind: 'rollback',
      outcome: 'done',
      registry: first,
      previous: second,
      as_of: '2026-03-08',
      records: 50,
    });
    expect([current(), formerRegistry(imports.registry)]).toEqual([first, second]);
    await imports.run({ isRollback: true });
    expect([current(), formerRegistry(imports.registry)]).toEqual([second, first]);
  });

  test('first removes who was suppressed or deactivated since', async () => {
    await april();
    imports.suppressed.push(npiAt(5));
    await imports.run({
      deactivated: writeDeactivated(imports.files, '2026-04-13', [[npiAt(6), '2026-04-01']]),
    });
    expect(await imports.run({ isRollback: true })).toMatchObject({
      records: 48,
      left_out: { suppressed: 1 },
    });
    expect(present(5, 6, 7)).toEqual([false, false, true]);
  });

  test('without a former file is refused', async () => {
    expect(await imports.run({ isRollback: true })).toMatchObject({
      outcome: 'refused',
      problem: expect.stringContaining('no former registry'),
    });
  });
});
