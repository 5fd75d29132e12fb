import type { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { ChangeStore } from '../../../../src/staffing/registry/search/changes-store.ts';
import { ListStore } from '../../../../src/staffing/registry/search/lists-store.ts';
import { OrdinalStore } from '../../../../src/staffing/registry/search/ordinals-store.ts';
import { RowStore } from '../../../../src/staffing/registry/search/rows-store.ts';
import { openTestRegistry, recordOf, type TestRegistry } from '../../../support/registry.ts';

let registry: TestRegistry;
beforeAll(() => {
  registry = openTestRegistry([recordOf({ npi: 2_000_000_002 })]);
});
afterAll(() => registry.close());

/** Tables of a few rows: one for a state, a segment or a revision. */
const SMALL = /SCAN (?:registry|segment|revision|wanted VIRTUAL TABLE)/;

test.each([
  ['lists', ListStore],
  ['ordinals', OrdinalStore],
  ['rows', RowStore],
  ['changes', ChangeStore],
] as const)('no statement for %s reads a table as a whole', async (_, Store) => {
  await registry.registry.read(({ connection: { sqlite } }) => {
    const texts: string[] = [];
    const listening = new Proxy(sqlite, {
      get: (database: Database, name) =>
        name === 'prepare'
          ? (text: string) => {
              texts.push(text);
              return database.prepare(text);
            }
          : Reflect.get(database, name),
    });
    expect(new Store(listening)).toBeDefined();
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) {
      const steps = sqlite
        .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .map(({ detail }) => detail);
      expect(steps.filter((step) => /^SCAN (?!CONSTANT)|AUTOMATIC/.test(step) && !SMALL.test(step))).toEqual(
        [],
      );
    }
  });
});
