import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import * as tables from '../../../../db/staffing/registry/tables.ts';
import { Cursors } from '../../../../src/platform/http/pagination/cursor.ts';
import { problemsIn } from '../../../../src/platform/store/migrations/integrity.ts';
import { getClinician } from '../../../../src/staffing/clinicians/get.ts';
import { ClinicianResponse } from '../../../../src/staffing/clinicians/public-clinician.ts';
import { search } from '../../../../src/staffing/clinicians/search.ts';
import { buildRegistry, RegistryBuilder } from '../../../../src/staffing/registry/build.ts';
import { isRegistryName, makeCurrent } from '../../../../src/staffing/registry/current.ts';
import { RegistryHandle } from '../../../../src/staffing/registry/handle.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { OPTIONS, openTestRegistry, recordOf } from '../../../support/registry.ts';

const NPI = 2_000_000_002;
const directory = mkdtempSync(join(tmpdir(), 'countersign-build-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function inspect<T>(name: string, look: (database: Database) => T): T {
  const database = new Database(join(directory, name));
  try {
    return look(database);
  } finally {
    database.close();
  }
}

describe('a registry file', () => {
  test('is whole, marked as what it is, and alone', () => {
    const { name, records } = buildRegistry(directory, madeUpClinicians(500, 3), OPTIONS);
    expect(name).toMatch(/^2026-03-01-[0-9a-z]{8}\.db$/);
    expect(records).toBe(500);
    expect(readdirSync(directory)).toEqual([name]);
    inspect(name, (database) => {
      expect(problemsIn(database, 'full')).toEqual([]);
      expect(database.query('PRAGMA application_id').get()).toEqual({ application_id: 0x43735267 });
      expect(database.query('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
      expect(database.query('SELECT * FROM registry').all()).toEqual([
        { as_of: '2026-03-01', records: 500, sample: 0, groupings: null, state: 1 },
      ]);
    });
  });

  test('has the tables and columns that the program reads by name', () => {
    const { name } = buildRegistry(directory, [], OPTIONS);
    inspect(name, (database) => {
      const real = database
        .query<{ name: string }, []>(
          `SELECT tables.name || '.' || columns.name || ' ' || lower(columns.type) || ' ' || columns."notnull" AS name
           FROM sqlite_schema AS tables CROSS JOIN pragma_table_info(tables.name) AS columns
           WHERE tables.type = 'table'`,
        )
        .all();
      const described = Object.values(tables).flatMap((table) => {
        const { name: tableName, columns } = getTableConfig(table);
        return columns.map(
          (column) => `${tableName}.${column.name} ${column.getSQLType()} ${column.notNull ? 1 : 0}`,
        );
      });
      expect(real.map((column) => column.name).sort()).toEqual(described.sort());
    });
  });

  test('has the groupings that it is limited to, and the time at which it was built', () => {
    const groupings = ['Nursing Service Providers', 'A "quoted" one'];
    const { name } = buildRegistry(directory, [], { ...OPTIONS, groupings });
    inspect(name, (database) => {
      const row = database.query<{ groupings: string }, []>('SELECT groupings FROM registry').get();
      expect(JSON.parse(row?.groupings ?? '')).toEqual(groupings);
      expect(database.query('SELECT at, as_of, kind FROM revision').all()).toEqual([
        { at: OPTIONS.at, as_of: OPTIONS.asOf, kind: 'full' },
      ]);
    });
  });

  test('has full pages, because it is written in the order of its keys', () => {
    const { name } = buildRegistry(directory, madeUpClinicians(5000, 5), OPTIONS);
    const { size } = statSync(join(directory, name));
    inspect(name, (database) => {
      database.run('VACUUM INTO ?', [join(directory, 'vacuumed')]);
      expect(database.query('PRAGMA freelist_count').get()).toEqual({ freelist_count: 0 });
    });
    const least = statSync(join(directory, 'vacuumed')).size;
    rmSync(join(directory, 'vacuumed'));
    expect(size / least).toBeLessThan(1.1);
  });
});

describe('what is not public of a clinician', () => {
  test('is not written, whatever a record brings along', () => {
    const record = {
      ...recordOf({ npi: NPI }),
      recruiterNotes: 'CANARY-1',
      phone: 'CANARY-2',
      rateFloor: 'CANARY-3',
    };
    const { name } = buildRegistry(directory, [record], OPTIONS);
    const bytes = readFileSync(join(directory, name), 'latin1');
    expect(bytes).toContain('JANE');
    expect(bytes).not.toContain('CANARY');
    inspect(name, (database) => {
      const row = database
        .query<{ record: string }, []>('SELECT head || text || tail AS record FROM entry NATURAL JOIN codes')
        .get();
      expect(Object.keys(JSON.parse(row?.record ?? ''))).toEqual(Object.keys(ClinicianResponse.properties));
    });
  });

  test('is not read either, should it stand there', async () => {
    const { name } = buildRegistry(
      directory,
      [recordOf({ npi: NPI, formerNames: ['CANARYFORMER'] })],
      OPTIONS,
    );
    inspect(name, (database) => {
      for (const table of ['clinician', 'entry', 'codes'])
        database.run(`ALTER TABLE ${table} ADD COLUMN recruiter_notes TEXT DEFAULT 'CANARY'`);
    });
    makeCurrent(directory, name);
    const clinicians = { registry: new RegistryHandle(directory), cursors: new Cursors(new Uint8Array(32)) };
    const found = [
      await getClinician(clinicians, String(NPI)),
      await search(clinicians, { surname: 'canary', include_total: 'true' }),
    ];
    clinicians.registry.close();
    expect(found[1]).toMatchObject({ total: 1 });
    expect(JSON.stringify(found)).not.toContain('CANARY');
  });
});

describe('the builder of a registry', () => {
  test('takes an NPI once, and refuses and counts a record with a field of another form', () => {
    const builder = new RegistryBuilder(directory, OPTIONS);
    expect(builder.add(recordOf({ npi: NPI }))).toBe(true);
    expect(builder.add(recordOf({ npi: NPI, lastName: 'OTHER' }))).toBe(false);
    const wrong: [string, object][] = [
      ...[0, 999_999_999, 3_000_000_000, Number.NaN, -1, NPI + 1].map((npi): [string, object] => [
        'npi',
        { npi },
      ]),
      ...[null, '', '  ', 'A\u0000B', 'A\nB', '\ud800', 'X'.repeat(101), 7].map(
        (lastName): [string, object] => ['lastName', { lastName }],
      ),
      ['formerNames', { formerNames: ['GOOD', 'B\tAD'] }],
      ['firstName', { firstName: undefined }],
      ['city', { city: 12 }],
      ['enumeratedOn', { enumeratedOn: '2019-4-30' }],
      ['enumeratedOn', { enumeratedOn: '04/30/2019' }],
      ['lastUpdatedOn', { lastUpdatedOn: '2019-02-30' }],
    ];
    const third = 2_000_000_010;
    for (const [, field] of wrong)
      expect(builder.add(Object.assign(recordOf({ npi: third }), field))).toBe(false);
    // A refused record must not block a valid one.
    expect(builder.add(recordOf({ npi: third }))).toBe(true);
    const { records, refused } = builder.finish();
    expect([records, refused.count]).toEqual([2, wrong.length]);
    expect(refused.examples.map(({ field }) => field)).toEqual(wrong.map(([field]) => field));
    expect(refused.examples.at(-1)).toEqual({ npi: third, field: 'lastUpdatedOn' });
  });

  test('leaves nothing behind when it is given up', () => {
    // What lies beside an open file goes when that is closed, whenever that is.
    const files = () =>
      readdirSync(directory)
        .filter((name) => !/-(?:wal|shm)$/.test(name))
        .sort();
    const before = files();
    const failing = function* () {
      yield* madeUpClinicians(50, 1);
      throw new Error('the source failed');
    };
    expect(() => buildRegistry(directory, failing(), OPTIONS)).toThrow('the source failed');
    const stopping = new RegistryBuilder(directory, OPTIONS);
    for (const record of madeUpClinicians(50, 1)) stopping.add(record);
    expect(() =>
      stopping.finish((step) => {
        if (step === 'lists') throw new Error('the disk is full');
      }),
    ).toThrow('the disk is full');
    stopping.discard();
    const bad = { ...OPTIONS, asOf: 'yesterday' };
    expect(() => buildRegistry(directory, [], bad)).toThrow('CHECK');
    expect(files()).toEqual(before);
  });
});

describe('a registry file that is being written', () => {
  test('does not look like one, and has a name by which the next start removes it', () => {
    const own = join(directory, 'own');
    const builder = new RegistryBuilder(own, OPTIONS);
    for (const record of madeUpClinicians(300, 1)) builder.add(record);
    const steps: string[] = [];
    const shares: number[] = [];
    builder.finish((step, share) => {
      if (steps.at(-1) !== step) steps.push(step);
      shares.push(share);
      const files = readdirSync(own);
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((file) => isRegistryName(file) || !file.includes('.scratch'))).toEqual([]);
      expect(files.every((file) => file.startsWith(builder.name))).toBe(true);
    });
    expect(steps).toEqual(['sort', 'entries', 'lists', 'near names', 'history', 'check', 'sync']);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    expect(readdirSync(own)).toEqual([builder.name]);
  });

  test('can be given up before and after it was finished', () => {
    const own = join(directory, 'given-up');
    const early = new RegistryBuilder(own, OPTIONS);
    early.add(recordOf({ npi: NPI }));
    early.discard();
    early.discard();
    const late = new RegistryBuilder(own, OPTIONS);
    late.add(recordOf({ npi: NPI }));
    late.finish();
    late.discard();
    expect(readdirSync(own)).toEqual([late.name]);
  });
});

test('totals of a registry are exact for every search', async () => {
  const many = [...madeUpClinicians(10_050, 1)].map((row) => ({
    ...recordOf({ npi: row.npi, lastName: 'MANY-NAMES', state: 'TX', codes: ['163W00000X', '163WC0200X'] }),
  }));
  const registry = openTestRegistry(many);
  const total = async (query: object) => {
    const page = await search(registry, { ...query, include_total: 'true', limit: '1' });
    return [page.total, page.total_exact];
  };
  for (const query of [
    {},
    { state: 'TX' },
    { specialty: 'RN' },
    { specialty: 'RN', state: 'TX' },
    { surname: 'm' },
  ]) {
    expect(await total(query)).toEqual([10_050, true]);
  }
  expect(await total({ surname: 'names', specialty: 'PA' })).toEqual([0, true]);
  expect(await total({ state: 'CA' })).toEqual([0, true]);
  expect((await search(registry, {})).total).toBeUndefined();
  registry.close();
});
