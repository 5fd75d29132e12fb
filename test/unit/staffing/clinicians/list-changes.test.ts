import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { changesText } from '../../../../src/staffing/clinicians/list-changes.ts';
import { type Amendment, amendRegistry } from '../../../../src/staffing/registry/amend.ts';
import { currentRegistry } from '../../../../src/staffing/registry/current.ts';
import { madeUpClinicians } from '../../../../src/staffing/registry/sample/sample.ts';
import { openTestRegistry, recordOf, refusalOf, type TestRegistry } from '../../../support/registry.ts';

const people = [...madeUpClinicians(6, 1)].map(({ npi }, index) =>
  recordOf({ npi, lastName: `DOE${'ABCDEF'[index]}` }),
);
const npis = people.map(({ npi }) => npi);
const [first = 0, second = 0, third = 0] = npis;

let served: TestRegistry;
beforeEach(() => {
  served = openTestRegistry(people.slice(0, 3));
});
afterEach(() => served.close());

function amend(at: string, some: Partial<Amendment>): void {
  const path = join(served.directory, currentRegistry(served.directory) ?? '');
  amendRegistry(path, { put: [], remove: [], at, kind: 'weekly', ...some });
}

interface Feed {
  data: { npi: string; change: string; at: string; as_of: string; clinician: { last_name: string } | null }[];
  has_more: boolean;
  next_cursor: string;
}

const feed = async (query: Parameters<typeof changesText>[1]): Promise<Feed> =>
  JSON.parse(await changesText(served, query));

const weeks = (): void => {
  amend('2026-03-09T00:00:00.000Z', {
    put: people.slice(2, 5).map((person) => ({ ...person, credential: 'RN' })),
    asOf: '2026-03-08',
  });
  amend('2026-03-16T00:00:00.000Z', { remove: [third, first], kind: 'suppression' });
};

describe('the feed of changes', () => {
  test('has who was added, updated and removed, in order, with the clinicians as they are now', async () => {
    weeks();
    const { data, has_more } = await feed({ since: '2026-03-03' });
    expect(has_more).toBe(false);
    const [updated, ...rest] = data;
    expect(
      data
        .slice(0, 3)
        .map(({ npi, change }) => [npi, change])
        .sort(),
    ).toEqual(
      [
        [String(npis[2]), 'updated'],
        [String(npis[3]), 'added'],
        [String(npis[4]), 'added'],
      ].sort(),
    );
    expect(rest.slice(2).map(({ npi, change, clinician }) => [npi, change, clinician])).toEqual([
      [String(third), 'removed', null],
      [String(first), 'removed', null],
    ]);
    const added = data.find(({ npi }) => npi === String(npis[3]));
    expect(added).toMatchObject({
      at: '2026-03-09T00:00:00.000Z',
      as_of: '2026-03-08',
      clinician: { last_name: 'DOED' },
    });
    // Who was removed later has no record in an earlier change either.
    expect(
      data.find(({ npi, change }) => npi === String(third) && change === 'updated')?.clinician,
    ).toBeNull();
    expect(updated).toBeDefined();
  });

  test('in pages of one is the same, and its last cursor gives what changes later', async () => {
    weeks();
    const all = await feed({ since: '2026-03-03' });
    const found: Feed['data'] = [];
    let page = await feed({ since: '2026-03-03', limit: '1' });
    for (; ; page = await feed({ cursor: page.next_cursor, limit: '1' })) {
      found.push(...page.data);
      if (!page.has_more) break;
    }
    expect(found).toEqual(all.data);
    const end = page.next_cursor;
    expect(await feed({ cursor: end })).toEqual({ data: [], has_more: false, next_cursor: end });
    amend('2026-03-23T00:00:00.000Z', { remove: [second] });
    expect((await feed({ cursor: end })).data.map(({ npi }) => npi)).toEqual([String(second)]);
  });

  test('begins with the first change at or after a time', async () => {
    weeks();
    expect((await feed({ since: '2026-03-09T00:00:00.001Z' })).data.length).toBe(2);
    expect((await feed({ since: '2026-03-09T01:00:00+01:00' })).data.length).toBe(5);
    expect((await feed({ since: '2026-03-17' })).data).toEqual([]);
    expect((await feed({ since: '2026-03-02' })).data.length).toBe(5);
  });

  test.each(['2026-03-01', '1970-01-01', '2026-02-30', '2026-3-1', 'yesterday', '', '2026-03-09 00:00:00'])(
    'refuses since=%p',
    async (since) => {
      expect(await refusalOf(feed({ since }))).toBe('VALIDATION_FAILED');
    },
  );

  test('begins now without a time and a cursor, and refuses a cursor of another list', async () => {
    weeks();
    const { data, next_cursor } = await feed({});
    expect(data).toEqual([]);
    amend('2026-03-23T00:00:00.000Z', { remove: [second] });
    expect((await feed({ cursor: next_cursor })).data.map(({ npi }) => npi)).toEqual([String(second)]);
    expect(await refusalOf(feed({ cursor: 'abc' }))).toBe('INVALID_CURSOR');
  });

  test('refuses a cursor of a registry with another history', async () => {
    weeks();
    const { next_cursor } = await feed({ since: '2026-03-03' });
    served.swap(people);
    expect(await refusalOf(feed({ cursor: next_cursor }))).toBe('INVALID_CURSOR');
  });
});
