import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { search } from '../../../../src/staffing/clinicians/search.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { openTestRegistry, recordOf, type TestRegistry } from '../../../support/registry.ts';

/** Surnames and how many clinicians have them. */
const SURNAMES = { SMITH: 9, LOPE: 5, SMYTHE: 8, SMITHSON: 8, SMYTH: 7, "O'BRIEN": 6, GARCIA: 6, SMIT: 1 };

let served: TestRegistry;
beforeAll(() => {
  const names = Object.entries(SURNAMES).flatMap(([name, count]) => Array<string>(count).fill(name));
  const people = [...madeUpClinicians(names.length, 1)];
  served = openTestRegistry(
    names.map((lastName, index) => recordOf({ npi: people[index]?.npi ?? 0, lastName, state: 'TX' })),
  );
});
afterAll(() => served.close());

const suggestionsOf = async (query: Parameters<typeof search>[1]) =>
  (await search(served, query)).suggestions;

describe('a search for a surname that nobody has', () => {
  test('suggests surnames of several clinicians, the nearest and then the most frequent first', async () => {
    expect(await suggestionsOf({ surname: 'Smth' })).toEqual(['SMITH', 'SMYTH']);
    expect(await suggestionsOf({ surname: 'Smiht', state: 'TX' })).toEqual(['SMITH']);
    expect(await suggestionsOf({ surname: "O'Brein" })).toEqual(['OBRIEN']);
    expect(await suggestionsOf({ surname: 'garcai', match: 'exact' })).toEqual(['GARCIA']);
  });

  test('suggests nothing where nothing is alike', async () => {
    expect(await suggestionsOf({ surname: 'zzyzx' })).toBeUndefined();
    expect(await suggestionsOf({ surname: 'q' })).toBeUndefined();
  });

  test('suggests for a short name only names with one other letter, and nothing for two letters', async () => {
    expect(await suggestionsOf({ surname: 'lopx' })).toEqual(['LOPE']);
    expect(await suggestionsOf({ surname: 'lpxe' })).toBeUndefined();
    expect(await suggestionsOf({ surname: 'lx' })).toBeUndefined();
  });
});

test('a search that finds nothing because of other filters suggests no surname', async () => {
  const page = await search(served, { surname: 'smith', state: 'CA' });
  expect([page.data, page.suggestions]).toEqual([[], undefined]);
  expect(await suggestionsOf({ surname: 'smith' })).toBeUndefined();
  expect(await suggestionsOf({ state: 'CA' })).toBeUndefined();
});
