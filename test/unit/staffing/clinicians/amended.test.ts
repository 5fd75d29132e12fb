import { afterEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { getClinician } from '../../../../src/staffing/clinicians/get.ts';
import type { ClinicianList, Search } from '../../../../src/staffing/clinicians/schema.ts';
import { search } from '../../../../src/staffing/clinicians/search.ts';
import { type Amendment, amendRegistry } from '../../../../src/staffing/registry/amend.ts';
import { currentRegistry } from '../../../../src/staffing/registry/current.ts';
import type { ClinicianRecord } from '../../../../src/staffing/registry/record.ts';
import { questionOf } from '../../../../src/staffing/registry/search.ts';
import { openTestRegistry, recordOf, refusalOf, type TestRegistry } from '../../../support/registry.ts';
import { expected, npi, query, sampleOf } from '../../../support/registry-model.ts';

let served: TestRegistry;
afterEach(() => served.close());

function amend(some: Partial<Amendment>): void {
  const path = join(served.directory, currentRegistry(served.directory) ?? '');
  amendRegistry(path, { put: [], remove: [], at: '2026-03-09T00:00:00.000Z', kind: 'weekly', ...some });
}

async function allPages(asked: Search, between: (page: number) => void = () => undefined): Promise<string[]> {
  const found: string[] = [];
  let page: ClinicianList | undefined;
  for (let count = 0; page === undefined || page.next_cursor !== null; count++) {
    page = await search(served, { ...asked, ...(page?.next_cursor ? { cursor: page.next_cursor } : {}) });
    found.push(...page.data.map((row) => row.npi));
    between(count);
  }
  return found;
}

/** What a registry has after a change. */
function after(
  rows: readonly ClinicianRecord[],
  { put, remove }: { put: readonly ClinicianRecord[]; remove: readonly number[] },
): ClinicianRecord[] {
  const all = new Map([...rows, ...put].map((row) => [row.npi, row]));
  for (const one of remove) all.delete(one);
  return [...all.values()];
}

/** Changes of some clinicians, removals of others, and new ones. */
const change = fc
  .record({ from: fc.nat(80), count: fc.nat(60), seed: fc.nat(1000), removed: fc.array(fc.nat(140)) })
  .map(({ from, count, seed, removed }) => ({
    put: count === 0 ? [] : sampleOf(from, count, seed),
    remove: removed.map(npi),
  }));

describe('a registry after changes', () => {
  test('is searched as one that was built with the result, by all filters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.array(query, { minLength: 15, maxLength: 15 }),
        fc.integer({ min: 1, max: 40 }),
        async (changes, queries, limit) => {
          let rows = sampleOf(0, 100, 5);
          served = openTestRegistry(rows);
          for (const some of changes) {
            amend(some);
            rows = after(rows, some);
            for (const asked of queries) {
              const wanted = expected(rows, asked);
              expect(await allPages({ ...asked, limit: String(limit) })).toEqual(wanted);
              expect((await search(served, { ...asked, include_total: 'true' })).total).toBe(wanted.length);
            }
          }
          const all = new Set(rows.map((row) => row.npi));
          for (let index = 0; index < 140; index += 7) {
            expect(await refusalOf(getClinician(served, String(npi(index))))).toBe(
              all.has(npi(index)) ? 'none' : 'NOT_FOUND',
            );
          }
          served.close();
        },
      ),
      { numRuns: 5 },
    );
  }, 180_000);

  test('that came between two pages gives whom it did not change exactly once, in order', async () => {
    const rows = sampleOf(0, 200, 6);
    await fc.assert(
      fc.asyncProperty(query, change, fc.nat(4), async (asked, some, when) => {
        served = openTestRegistry(rows);
        const found = await allPages({ ...asked, limit: '5' }, (page) => {
          if (page === when) amend(some);
        });
        const changed = new Set([...some.put.map((row) => row.npi), ...some.remove]);
        const stayed = rows.filter((row) => !changed.has(row.npi));
        const isStayed = new Set(stayed.map((row) => String(row.npi)));
        expect(found.filter((one) => isStayed.has(one))).toEqual(expected(stayed, asked));
        expect(found.filter((one) => isStayed.has(one)).length).toBe(
          new Set(found.filter((one) => isStayed.has(one))).size,
        );
        served.close();
      }),
      { numRuns: 5 },
    );
  }, 180_000);
});

describe('one response', () => {
  test('is of one state of the file, even when a change is committed while it is made', async () => {
    served = openTestRegistry([recordOf({ npi: npi(0), lastName: 'DOE' })]);
    const question = questionOf({
      ...{ state: null, specialty: null, surname: 'DOE', exact: false },
      ...{ city: null, postalCode: null, firstName: null, npis: null },
    });
    const read = (commit: () => void) =>
      served.registry.read((open) =>
        open.atOnce(() => {
          const { rows } = open.engine.page(question, null, 5);
          commit();
          return [rows.length, open.engine.count(question), open.engine.page(question, null, 5).rows.length];
        }),
      );
    const added = [1, 2].map((index) => recordOf({ npi: npi(index), lastName: 'DOE' }));
    expect(await read(() => amend({ put: added, remove: [npi(0)] }))).toEqual([1, 1, 1]);
    expect(await read(() => undefined)).toEqual([2, 2, 2]);
  });

  test('comes from the cache only while the file is as it was', async () => {
    served = openTestRegistry([recordOf({ npi: npi(0), lastName: 'DOE' })]);
    const asked = { surname: 'doe', include_total: 'true' } as const;
    expect((await search(served, asked)).total).toBe(1);
    amend({ put: [recordOf({ npi: npi(1), lastName: 'DOE' })] });
    expect((await search(served, asked)).total).toBe(2);
  });
});
