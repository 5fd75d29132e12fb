import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { clinicianSql, type Names } from '../../../../src/staffing/clinicians/store.ts';
import { openTestRegistry, recordOf, type TestRegistry } from '../../../support/registry.ts';

let registry: TestRegistry;
beforeAll(() => {
  registry = openTestRegistry([recordOf({ npi: 2_000_000_002 })]);
});
afterAll(() => registry.close());

function plan(
  sqlOf: (sql: ReturnType<typeof clinicianSql>) => { getQuery(): { sql: string } },
): Promise<string[]> {
  return registry.registry.read((open) =>
    open.connection.sqlite
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sqlOf(clinicianSql(open)).getQuery().sql}`)
      .all()
      .map(({ detail }) => detail),
  );
}

const BY_NAME = 'by_name USING PRIMARY KEY (list=? AND kind=?';
const BY_STATE = 'by_state USING PRIMARY KEY (list=? AND state=? AND kind=?';

describe('the plan, which must not depend on how many clinicians there are', () => {
  const cases: [lists: number, inState: boolean, names: Names, ranges: number, index: string][] = [
    [1, false, 'whole', 1, BY_NAME],
    [1, true, 'whole', 1, BY_STATE],
    [18, false, 'whole', 18, BY_NAME],
    [18, true, 'whole', 18, BY_STATE],
    [1, false, 'prefix', 2, BY_NAME],
    [3, true, 'prefix', 6, BY_STATE],
    [2, false, 'exact', 6, BY_NAME],
    [24, true, 'exact', 72, BY_STATE],
  ];
  test.each(cases)(
    'of a page of %p lists, in a state: %p, by %p names',
    async (lists, inState, names, count, index) => {
      const steps = await plan((sql) => sql.page({ lists, inState, names }));
      const range = `SEARCH ${index} AND (name_key,first_key,npi)>(?,?,?) AND name_key<?)`;
      expect(steps.filter((step) => step === range).length).toBe(count);
      if (names === 'prefix') {
        expect(steps).toContain(
          'SEARCH several_names USING PRIMARY KEY (npi=? AND name_key>? AND name_key<?)',
        );
      }
      // But the page itself, no step sorts, and none looks at a table as a whole.
      expect(steps.filter((step) => step.includes('TEMP B-TREE')).length).toBeLessThanOrEqual(1);
      expect(steps.filter((step) => /^SCAN (?!found|\(?subquery)|AUTOMATIC/i.test(step))).toEqual([]);
    },
  );

  test('of counting reads the same ranges', async () => {
    const steps = await plan((sql) => sql.countUpTo({ lists: 2, inState: false, names: 'prefix' }));
    expect(steps.filter((step) => step.startsWith('SEARCH by_name USING PRIMARY KEY')).length).toBe(4);
  });

  test('of a kept count and of an NPI is one look-up', async () => {
    expect(await plan((sql) => sql.count)).toEqual([
      'SEARCH list_count USING PRIMARY KEY (list=? AND state=?)',
    ]);
    expect(await plan((sql) => sql.byNpi)).toEqual(['SEARCH clinician USING INTEGER PRIMARY KEY (rowid=?)']);
  });
});
