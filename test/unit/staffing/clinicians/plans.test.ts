import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import type { Registry } from '../../../../src/staffing/registry/open.ts';
import {
  countUpTo,
  type Names,
  type Range,
  selectClinicians,
  selectPage,
  storedCount,
} from '../../../../src/staffing/registry/store.ts';
import { openTestRegistry, recordOf, type TestRegistry } from '../../../support/registry.ts';

let registry: TestRegistry;
beforeAll(() => {
  registry = openTestRegistry([recordOf({ npi: 2_000_000_002 })]);
});
afterAll(() => registry.close());

/** The steps of the statements that `ask` has prepared, which must be asked for the first time. */
function plan(ask: (open: Registry) => Promise<unknown>): Promise<string[]> {
  return registry.registry.read(async (open) => {
    const { sqlite } = open.connection;
    const prepared = spyOn(sqlite, 'prepare');
    await ask(open);
    const texts = prepared.mock.calls.map(([text]) => text);
    prepared.mockRestore();
    return texts.flatMap((text) =>
      sqlite
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .map(({ detail }) => detail),
    );
  });
}

function rangeOf(lists: number, inState: boolean, names: Names): Range {
  const indexes = Array.from({ length: lists }, (_, index) => index);
  return { lists: indexes, state: inState ? 'TX' : undefined, names, from: 'a', before: 'b' };
}

const BY_NAME = 'by_name USING PRIMARY KEY (list=? AND kind=?';
const BY_STATE = 'by_state USING PRIMARY KEY (list=? AND state=? AND kind=?';

describe('the SQL plan, which must not depend on how many clinicians there are,', () => {
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
      const steps = await plan((open) => selectPage(open, rangeOf(lists, inState, names), undefined, 26));
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
    const steps = await plan((open) => countUpTo(open, rangeOf(2, false, 'prefix'), 100));
    expect(steps.filter((step) => step.startsWith('SEARCH by_name USING PRIMARY KEY')).length).toBe(4);
  });

  test('of a kept count and of an NPI is one look-up', async () => {
    expect(await plan((open) => storedCount(open, 0, ''))).toEqual([
      'SEARCH list_count USING PRIMARY KEY (list=? AND state=?)',
    ]);
    expect(await plan((open) => selectClinicians(open, [2_000_000_002]))).toEqual([
      'SEARCH clinician USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
  });
});
