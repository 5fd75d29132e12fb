import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Task } from '../../../../src/staffing/imports/task.ts';
import { readEntries } from '../../../../src/staffing/registry/amend.ts';
import { currentRegistry, formerRegistry } from '../../../../src/staffing/registry/current.ts';
import { describeRegistry } from '../../../../src/staffing/registry/description.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { openTestImports, type TestImports } from '../../../support/imports.ts';
import { zipOf } from '../../../support/nppes.ts';
import {
  deactivatedRow,
  madeUpRows,
  monthlyName,
  type PublishedRow,
  rowOf,
  writeDeactivated,
  writePublished,
} from '../../../support/published-files.ts';

let imports: TestImports;
beforeEach(() => {
  imports = openTestImports();
});
afterEach(() => imports.close());

const [extra = fail(), ...clinicians] = [...madeUpClinicians(201, 7)];
const npiAt = (index: number): number => clinicians[index]?.npi ?? 0;
const write = (rows: Iterable<PublishedRow>, asOf = '2026-03-08'): string =>
  writePublished(imports.files, monthlyName(asOf), rows);
const current = () => describeRegistry(join(imports.registry, currentRegistry(imports.registry) ?? ''));

describe('a monthly file', () => {
  test('becomes the registry, and its report counts every row once', async () => {
    const organization = { ...rowOf(extra), 'Entity Type Code': '2' };
    const bad = { ...rowOf(clinicians[1] ?? fail()), NPI: '2000000000' };
    const npi = write([
      ...clinicians.map(rowOf),
      rowOf(clinicians[5] ?? fail()),
      organization,
      bad,
      deactivatedRow(npiAt(0), '2026-01-02'),
    ]);
    const report = await imports.run({ npi });
    expect(report).toMatchObject({
      kind: 'full',
      outcome: 'done',
      problem: null,
      as_of: '2026-03-08',
      previous: null,
      sample: true,
      records: 200,
      rows: { read: 204, clinicians: 201, organizations: 1, deactivated: 1, other_groupings: 0, bad: 1 },
      left_out: { duplicates: 1, refused: 0, deactivated: 0, suppressed: 0 },
      bad_rows: { examples: [{ line: 204, npi: null, field: 'NPI' }] },
    });
    expect(current()).toMatchObject({ records: 200, asOf: '2026-03-08', sample: true });
    expect(imports.changes()).toBe(1);
  });

  test('leaves only the registry, its report and the report of the last import', async () => {
    await imports.run({ npi: write(madeUpRows(50)) });
    const name = currentRegistry(imports.registry) ?? '';
    const left = readdirSync(imports.registry).filter((file) => !/-(?:wal|shm)$/.test(file));
    expect(left.sort()).toEqual([name, `${name}.report.json`, 'current', 'last-import.json'].sort());
  });

  test('keeps the previous file as the former, and deletes the one before', async () => {
    const [first, second, third] = [imports.publish(madeUpClinicians(10, 1)), '2026-03-08', '2026-04-12'];
    await imports.run({ npi: write(madeUpRows(50), second) });
    const middle = currentRegistry(imports.registry);
    expect(formerRegistry(imports.registry)).toBe(first);
    await imports.run({ npi: write(madeUpRows(50), third) });
    expect(formerRegistry(imports.registry)).toBe(middle);
    expect(existsSync(join(imports.registry, first))).toBe(false);
  });

  test('with fields that cannot be read has all clinicians, and its report counts those fields', async () => {
    const plain = clinicians.filter(({ lastName }) => /^[ -~]+$/.test(lastName)).slice(0, 50);
    const [first, second, third, ...others] = plain.map(rowOf);
    const npi = write([
      { ...first, 'Provider First Name': 'JOSÉ' },
      { ...second, 'Healthcare Provider Taxonomy Code_2': '173000000Z' },
      { ...third, 'Provider Last Name (Legal Name)': 'MUÑOZ' },
      ...others,
    ]);
    writeFileSync(npi, Buffer.from(readFileSync(npi, 'utf8'), 'latin1'));
    const report = await imports.run({ npi });
    expect(report).toMatchObject({
      outcome: 'done',
      records: 49,
      rows: { read: 50, clinicians: 49, bad: 1 },
      bad_rows: { by_reason: { 'is not UTF-8': 1 } },
      lost_fields: {
        count: report.lost_fields.examples.length,
        by_reason: { 'is not UTF-8': expect.any(Number), 'is not a taxonomy code': 1 },
      },
    });
    expect(report.lost_fields.examples).toContainEqual({
      line: 2,
      npi: String(first?.NPI),
      field: 'Provider First Name',
      reason: 'is not UTF-8',
    });
    const path = join(imports.registry, currentRegistry(imports.registry) ?? '');
    expect(readEntries(path, [Number(first?.NPI)])).toMatchObject([{ firstKey: '' }]);
  });

  test('with fewer than 95 % of the clinicians is refused without --force, and the registry stays', async () => {
    await imports.run({ npi: write(madeUpRows(100)) });
    const before = currentRegistry(imports.registry);
    const npi = write(madeUpRows(94), '2026-04-12');
    const refused = await imports.run({ npi });
    expect(refused).toMatchObject({ outcome: 'refused', registry: null, records: 94, previous_records: 100 });
    expect(refused.problem).toContain('94 clinicians');
    expect(currentRegistry(imports.registry)).toBe(before);
    expect(readdirSync(imports.registry).filter((name) => name.startsWith('2026-04-12'))).toEqual([]);
    expect(await imports.run({ npi, isForced: true })).toMatchObject({ outcome: 'done', records: 94 });
  });

  test('with exactly 95 % of the clinicians is accepted', async () => {
    await imports.run({ npi: write(madeUpRows(100)) });
    expect(await imports.run({ npi: write(madeUpRows(95), '2026-04-12') })).toMatchObject({
      outcome: 'done',
    });
  });

  test('may replace the sample of a first start whatever its size', async () => {
    imports.publish(madeUpClinicians(100, 1), { sample: true });
    expect(await imports.run({ npi: write(madeUpRows(3)) })).toMatchObject({ outcome: 'done', records: 3 });
  });

  test('does not contain suppressed clinicians, nor those who are suppressed while it is built', async () => {
    imports.suppressed.push(npiAt(3));
    const npi = write(clinicians.map(rowOf));
    const report = await imports.run({ npi });
    expect(report).toMatchObject({ records: 199, left_out: { suppressed: 1 } });
  });

  test('contains whose suppression ends while it is built', async () => {
    imports.suppressed.push(npiAt(3), npiAt(4));
    imports.context.suppressedNpis = async () => imports.suppressed.splice(0, 1).concat(imports.suppressed);
    const npi = write(clinicians.map(rowOf));
    const report = await imports.run({ npi });
    expect(report).toMatchObject({ outcome: 'done', records: 199, left_out: { suppressed: 1 } });
    const path = join(imports.registry, currentRegistry(imports.registry) ?? '');
    const kept = readEntries(path, [npiAt(3), npiAt(4)]).map(({ columns: [one] }) => one);
    expect(kept).toEqual([npiAt(3)]);
    expect(describeRegistry(path).records).toBe(199);
  });

  test('does not contain whom the report of deactivations names, but whoever was reactivated later', async () => {
    const rows = clinicians.map(rowOf);
    Object.assign(rows[1] ?? {}, { 'NPI Reactivation Date': '02/01/2026' });
    Object.assign(rows[2] ?? {}, { 'NPI Reactivation Date': '12/01/2025' });
    const on = '2026-01-15';
    const deactivated = writeDeactivated(imports.files, '2026-03-09', [
      [npiAt(0), on],
      [npiAt(1), on],
      [npiAt(2), on],
    ]);
    const report = await imports.run({ npi: write(rows), deactivated });
    expect(report).toMatchObject({
      outcome: 'done',
      records: 198,
      deactivations_as_of: '2026-03-09',
      left_out: { deactivated: 2 },
    });
    // The stored report applies to the next file too.
    const next = await imports.run({ npi: write(rows, '2026-04-12') });
    expect(next).toMatchObject({ records: 198, left_out: { deactivated: 2 } });
  });

  test('keeps only the groupings that are named', async () => {
    const report = await imports.run({
      npi: write(clinicians.map(rowOf)),
      groupings: 'Nursing Service Providers',
    });
    expect(report.groupings).toEqual(['Nursing Service Providers']);
    expect(report.rows?.other_groupings).toBeGreaterThan(0);
    expect(current()).toMatchObject({ groupings: ['Nursing Service Providers'], records: report.records });
  });
});

describe('a monthly file with no clinician is refused, even with --force,', () => {
  const organization = { ...rowOf(extra), 'Entity Type Code': '2' };
  const noNpi = { ...rowOf(extra), NPI: '' };
  const garbage: [what: string, rows: PublishedRow[], task: Partial<Task>, problem: string][] = [
    ['because it has only a header', [], {}, 'no valid row'],
    ['because all rows are bad', Array.from({ length: 3000 }, () => noNpi), {}, 'no valid row'],
    ['because it has organizations only', [organization, noNpi], {}, 'no clinician'],
    ['because all are deactivated', [deactivatedRow(npiAt(0), '2026-01-02')], {}, 'no clinician'],
    [
      'because nobody has the groupings',
      [rowOf({ ...extra, codes: [] })],
      { groupings: 'Nursing Service Providers' },
      'no clinician',
    ],
  ];
  const left = (): string[] => readdirSync(imports.registry).filter((file) => !/-(?:wal|shm)$/.test(file));

  test.each(garbage)(
    '%s: the imported fictitious registry and the former one stay',
    async (_, rows, task, problem) => {
      await imports.run({ npi: write(madeUpRows(50)) });
      await imports.run({ npi: write(madeUpRows(60), '2026-03-09') });
      const before = [currentRegistry(imports.registry), formerRegistry(imports.registry)];
      const files = left();
      const npi = write(rows, '2026-04-12');
      expect(await imports.run({ npi, ...task, isForced: true })).toMatchObject({
        outcome: 'refused',
        problem: expect.stringContaining(problem),
        hint: expect.stringContaining('--force does not permit it'),
        registry: null,
        sample: null,
        rows: { read: rows.length },
        records: 0,
        previous_records: 60,
      });
      expect(await imports.run({ npi, ...task })).toMatchObject({ outcome: 'refused', registry: null });
      expect([currentRegistry(imports.registry), formerRegistry(imports.registry)]).toEqual(before);
      expect([left(), imports.changes()]).toEqual([files, 2]);
    },
  );

  test.each(garbage)('%s: the sample of a first start stays', async (_, rows, task, problem) => {
    const sample = imports.publish(madeUpClinicians(100, 1), { sample: true });
    const report = await imports.run({ npi: write(rows), ...task, isForced: true });
    expect([report.outcome, report.problem]).toEqual(['refused', expect.stringContaining(problem)]);
    expect([currentRegistry(imports.registry), formerRegistry(imports.registry)]).toEqual([sample, null]);
    expect([left().sort(), imports.changes()]).toEqual([[sample, 'current', 'last-import.json'].sort(), 0]);
  });

  test('because all of them are in the report of deactivations, which is not put in force', async () => {
    const rows = [...madeUpRows(51)];
    await imports.run({ npi: write(rows.slice(0, 50)) });
    const deactivated = writeDeactivated(imports.files, '2026-03-09', [
      [Number(rows[50]?.NPI), '2026-01-15'],
    ]);
    const refused = await imports.run({
      npi: write(rows.slice(50), '2026-04-12'),
      deactivated,
      isForced: true,
    });
    expect(refused).toMatchObject({ outcome: 'refused', records: 0, left_out: { deactivated: 1 } });
    const next = await imports.run({ npi: write(rows, '2026-04-12') });
    expect(next).toMatchObject({ outcome: 'done', records: 51, left_out: { deactivated: 0 } });
  });

  test('because all of them are suppressed', async () => {
    imports.publish(madeUpClinicians(100, 1), { sample: true });
    imports.suppressed.push(extra.npi);
    expect(await imports.run({ npi: write([rowOf(extra)]), isForced: true })).toMatchObject({
      outcome: 'refused',
      left_out: { suppressed: 1 },
    });
  });
});

describe('whether a monthly file is fictitious', () => {
  const noNpi = { ...rowOf(extra), NPI: '' };
  // More than the rows that are read at once.
  const bad = Array.from({ length: 5000 }, () => noNpi);

  test('depends on all of its clinicians, so that a damaged one does not replace an imported fictitious registry', async () => {
    await imports.run({ npi: write(madeUpRows(50)) });
    const before = currentRegistry(imports.registry);
    expect(await imports.run({ npi: write([...bad, rowOf(extra)], '2026-04-12') })).toMatchObject({
      outcome: 'refused',
      sample: true,
      records: 1,
      problem: expect.stringContaining('fewer than 95 %'),
    });
    expect(currentRegistry(imports.registry)).toBe(before);
  });

  test('is false with one real clinician', async () => {
    const real = { ...rowOf(extra), NPI: '1234567893' };
    const rows = [...madeUpRows(2500), real];
    expect(await imports.run({ npi: write(rows) })).toMatchObject({ outcome: 'done', sample: false });
    expect(current()).toMatchObject({ sample: false, records: 2501 });
  });
});

describe('over a registry that cannot be read, such as one of another version,', () => {
  const spoil = (): string => {
    const path = join(imports.registry, imports.publish(clinicians));
    const database = new Database(path);
    database.run('PRAGMA user_version = 1');
    database.close();
    return path;
  };

  test('a monthly file is only imported with --force', async () => {
    const name = basename(spoil());
    const npi = write(clinicians.map(rowOf));
    expect(await imports.run({ npi })).toMatchObject({
      outcome: 'failed',
      problem: expect.stringContaining(name),
      hint: expect.stringContaining('--force'),
    });
    expect(currentRegistry(imports.registry)).toBe(name);
    expect(await imports.run({ npi, isForced: true })).toMatchObject({ outcome: 'done', records: 200 });
    expect(current()).toMatchObject({ records: 200 });
    expect(formerRegistry(imports.registry)).toBeNull();
    expect(existsSync(join(imports.registry, name))).toBe(false);
  });

  test('a weekly file is not imported', async () => {
    spoil();
    const npi = write(clinicians.map(rowOf));
    expect(await imports.run({ npi, isWeekly: true, isForced: true })).toMatchObject({
      outcome: expect.not.stringContaining('done'),
    });
  });

  test('the history begins after all numbers that an earlier one can have had', async () => {
    const before = Date.now();
    spoil();
    await imports.run({ npi: write(clinicians.map(rowOf)), isForced: true });
    const database = new Database(join(imports.registry, currentRegistry(imports.registry) ?? ''));
    const { first } = database.query<{ first: number }, []>('SELECT first FROM revision').get() ?? fail();
    database.close();
    expect(first).toBeGreaterThanOrEqual(before);
  });
});

describe('a file that cannot be imported', () => {
  test.each([
    ['does not exist', { npi: '/nowhere/npidata_pfile_20050523-20260308.csv' }, /cannot be read/],
    ['is a directory', { npi: '/tmp' }, /not a regular file/],
  ])('because it %s leaves no trace', async (_, task, problem) => {
    const name = imports.publish(clinicians);
    const report = await imports.run(task);
    expect(report).toMatchObject({ outcome: 'failed', registry: null });
    expect(report.problem).toMatch(problem);
    expect(currentRegistry(imports.registry)).toBe(name);
    expect(imports.changes()).toBe(0);
  });

  test('because its name has no date needs --as-of', async () => {
    const npi = writePublished(imports.files, 'clinicians.csv', madeUpRows(5));
    expect(await imports.run({ npi })).toMatchObject({
      outcome: 'refused',
      hint: expect.stringContaining('--as-of'),
    });
    expect(await imports.run({ npi, asOf: '2026-02-01' })).toMatchObject({
      outcome: 'done',
      as_of: '2026-02-01',
    });
  });

  test.each([true, false])(
    'because its name states a day of the future is refused, with --force %p and also with --as-of',
    async (isForced) => {
      const name = imports.publish(clinicians);
      const npi = write(clinicians.map(rowOf), '2999-01-01');
      for (const asOf of [null, '2026-03-08']) {
        const report = await imports.run({ npi, isForced, asOf });
        expect(report.outcome).toBe('refused');
        expect(report.problem).toMatch(/as of 2999-01-01, .* today is \d{4}-\d\d-\d\d \(UTC\)/);
      }
      const other = write(clinicians.map(rowOf));
      expect((await imports.run({ npi: other, isForced, asOf: '2999-01-01' })).outcome).toBe('refused');
      expect([currentRegistry(imports.registry), imports.changes()]).toEqual([name, 0]);
    },
  );

  test('in a zip whose own name states a day of the future is refused, even with --force', async () => {
    const name = imports.publish(clinicians);
    const csv = write(clinicians.map(rowOf));
    for (const zip of ['March_2999.zip', 'December_2098_V2.zip', '030998_031598_Weekly.zip']) {
      const npi = join(imports.files, `NPPES_Data_Dissemination_${zip}`);
      writeFileSync(npi, await zipOf({ [basename(csv)]: readFileSync(csv) }));
      const report = await imports.run({ npi, isForced: true });
      expect(report).toMatchObject({
        outcome: 'refused',
        problem: expect.stringMatching(
          /^NPPES_Data_\S+\.zip is as of 2\d\d\d-\d\d-\d\d, which is in the future/,
        ),
        hint: expect.stringContaining('--force does not permit it'),
      });
    }
    expect([currentRegistry(imports.registry), imports.changes()]).toEqual([name, 0]);
  });

  test('because nothing is named is refused', async () => {
    expect(await imports.run({})).toMatchObject({ outcome: 'failed', problem: 'there is no file to import' });
  });
});

function fail(): never {
  throw new Error('there is no such clinician');
}
