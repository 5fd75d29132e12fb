import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { problemsIn } from '../../../../src/platform/store/migrations/integrity.ts';
import { byNpi, search } from '../../../../src/staffing/clinicians/service.ts';
import { amendRegistry, readEntries } from '../../../../src/staffing/registry/amend.ts';
import { buildRegistry } from '../../../../src/staffing/registry/build/builder.ts';
import { currentRegistry } from '../../../../src/staffing/registry/current.ts';
import type { ClinicianRecord } from '../../../../src/staffing/registry/record.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { OPTIONS, openTestRegistry, recordOf, refusalOf } from '../../../support/registry.ts';

const NPI = 2_000_000_002;
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-amend-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const QUERIES = [
  'SELECT * FROM clinician ORDER BY npi',
  'SELECT * FROM several_names',
  'SELECT label, kind, name_key, first_key, npi FROM by_name JOIN list USING (list) ORDER BY 1, 2, 3, 4, 5',
  'SELECT label, state, kind, name_key, first_key, npi FROM by_state JOIN list USING (list) ORDER BY 1, 2, 3, 4, 5, 6',
  'SELECT label, state, clinicians FROM list_count JOIN list USING (list) WHERE clinicians <> 0 ORDER BY 1, 2',
  'SELECT * FROM registry',
];

/** Returns the content of a file, except the sequence numbers of its lists. */
function contents(path: string): unknown[] {
  const database = new Database(path);
  expect(problemsIn(database, 'full')).toEqual([]);
  const rows = QUERIES.map((query) => database.query(query).values());
  database.close();
  return rows;
}

test('a registry that was amended is the one that would have been built', () => {
  const known = [...madeUpClinicians(300, 5)];
  const others = [...madeUpClinicians(330, 6)];
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(329), { maxLength: 60 }),
      fc.uniqueArray(fc.nat(340), { maxLength: 60 }),
      (changed, gone) => {
        const put = changed.flatMap((index) => others[index] ?? []);
        const remove = gone.map((index) => known[index]?.npi ?? 1_000_000_000 + index);
        const wanted = new Map<number, ClinicianRecord>();
        for (const record of [...known, ...put]) wanted.set(record.npi, record);
        for (const npi of remove) wanted.delete(npi);
        const path = join(directory, buildRegistry(directory, known, OPTIONS).name);
        const {
          added,
          removed,
          changed: replaced,
        } = amendRegistry(path, { put, remove, asOf: '2026-03-08' });
        const built = buildRegistry(directory, wanted.values(), { ...OPTIONS, asOf: '2026-03-08' });
        expect(contents(path)).toEqual(contents(join(directory, built.name)));
        expect(added + replaced).toBe(put.length);
        expect(300 + added - removed).toBe(wanted.size);
      },
    ),
    { numRuns: 15 },
  );
});

test('a record with a field of another form amends nothing, and is counted', () => {
  const known = [recordOf({ npi: NPI, lastName: 'FIRST' })];
  const path = join(directory, buildRegistry(directory, known, OPTIONS).name);
  const before = contents(path);
  const put = [recordOf({ npi: NPI, enumeratedOn: '1/2/2020' }), recordOf({ npi: 12 })];
  expect(amendRegistry(path, { put, remove: [] })).toEqual({
    added: 0,
    changed: 0,
    removed: 0,
    refused: {
      count: 2,
      examples: [
        { npi: NPI, field: 'enumeratedOn' },
        { npi: 12, field: 'npi' },
      ],
    },
  });
  expect(contents(path)).toEqual(before);
});

test('a clinician who was removed can be put back, to be found by every name as before', () => {
  const known = [...madeUpClinicians(200, 5)];
  const path = join(directory, buildRegistry(directory, known, OPTIONS).name);
  const before = contents(path);
  const npis = known.map(({ npi }) => npi);
  const entries = readEntries(path, [...npis, 1_000_000_004]);
  expect(entries.length).toBe(200);
  amendRegistry(path, { put: [], remove: npis.slice(0, 150) });
  expect(contents(path)).not.toEqual(before);
  expect(amendRegistry(path, { put: [], remove: [], putBack: entries }).added).toBe(150);
  expect(contents(path)).toEqual(before);
});

test('a change of the registry is seen by those who are served, and nothing of one that failed', async () => {
  const served = openTestRegistry([
    recordOf({ npi: NPI, lastName: 'FIRST', codes: ['163W00000X'], state: 'TX' }),
  ]);
  const path = join(served.directory, currentRegistry(served.directory) ?? '');
  const failing = function* () {
    yield recordOf({ npi: NPI, lastName: 'SECOND' });
    throw new Error('the source failed');
  };
  expect(() => amendRegistry(path, { put: failing(), remove: [] })).toThrow('the source failed');
  expect((await byNpi(served, String(NPI))).last_name).toBe('FIRST');

  amendRegistry(path, {
    put: [recordOf({ npi: NPI, lastName: 'NEW-NAME', codes: ['777777777X'] })],
    remove: [],
  });
  served.registry.reopen();
  expect((await search(served, { surname: 'name', specialty: '777777777X' })).data.length).toBe(1);
  expect((await search(served, { specialty: 'RN', include_total: 'true' })).total).toBe(0);
  expect(await served.registry.info()).toEqual({ as_of: '2026-03-01', records: 1, sample: false });

  expect(amendRegistry(path, { put: [], remove: [NPI, NPI] })).toEqual({
    added: 0,
    changed: 0,
    removed: 1,
    refused: { count: 0, examples: [] },
  });
  expect(await refusalOf(byNpi(served, String(NPI)))).toBe('NOT_FOUND');
  expect((await search(served, { include_total: 'true' })).total).toBe(0);
  served.close();
});
