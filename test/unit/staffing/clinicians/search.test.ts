import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { Cursors } from '../../../../src/platform/http/pagination/cursor.ts';
import { getClinician } from '../../../../src/staffing/clinicians/get.ts';
import { listSpecialties } from '../../../../src/staffing/clinicians/list-specialties.ts';
import { ClinicianResponse } from '../../../../src/staffing/clinicians/public-clinician.ts';
import {
  type ClinicianList,
  ClinicianListResponse,
  ClinicianPath,
  type Search,
  SearchQuery,
  SpecialtiesQuery,
  SpecialtiesResponse,
} from '../../../../src/staffing/clinicians/schema.ts';
import { cursorAt, search } from '../../../../src/staffing/clinicians/search.ts';
import { specialtyCode } from '../../../../src/staffing/clinicians/specialty-code.ts';
import type { ClinicianRecord } from '../../../../src/staffing/registry/record.ts';
import { fold } from '../../../../src/staffing/registry/vocabulary/names.ts';
import { isNpi } from '../../../../src/staffing/registry/vocabulary/npi.ts';
import { openTestRegistry, recordOf, refusalOf, type TestRegistry } from '../../../support/registry.ts';
import { expected, npi, query, sampleOf } from '../../../support/registry-model.ts';

const ROWS = 500;

let rows: ClinicianRecord[];
let registry: TestRegistry;
beforeAll(() => {
  rows = sampleOf(0, ROWS, 11);
  registry = openTestRegistry(rows);
});
afterAll(() => registry.close());

async function allPages(asked: Search, between: (page: number) => void = () => undefined): Promise<string[]> {
  const found: string[] = [];
  let page: ClinicianList | undefined;
  for (let count = 0; page === undefined || page.next_cursor !== null; count++) {
    page = await search(registry, { ...asked, ...(page?.next_cursor ? { cursor: page.next_cursor } : {}) });
    expect(page.has_more).toBe(page.next_cursor !== null);
    if (page.has_more) expect(page.data.length).toBe(Number(asked.limit ?? 25));
    found.push(...page.data.map((row) => row.npi));
    between(count);
  }
  return found;
}

describe('the pages of a search', () => {
  test('one after the other are what filtering and sorting all rows gives, and totals say how many', async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 100 }), async (asked, limit) => {
        const wanted = expected(rows, asked);
        expect(await allPages({ ...asked, limit: String(limit) })).toEqual(wanted);
        const { total, total_exact } = await search(registry, { ...asked, include_total: 'true' });
        expect([total, total_exact]).toEqual([wanted.length, true]);
      }),
      { numRuns: 400 },
    );
  });

  test('begin after the position that a cursor names, as after the page that ends there', async () => {
    const page = await search(registry, { limit: '7' });
    const last = rows.find((row) => row.npi === Number(page.data.at(-1)?.npi));
    if (last === undefined || page.next_cursor === null) throw new Error('the first page is the only one');
    const cursor = cursorAt(registry, {}, [fold(last.lastName), fold(last.firstName ?? ''), last.npi]);
    const following = await search(registry, { limit: '7', cursor });
    expect(following).toEqual(await search(registry, { limit: '7', cursor: page.next_cursor }));
    expect(following.data).toHaveLength(7);
  });

  test('are as their schema says, which has no other field', async () => {
    const page = await search(registry, { limit: '100', include_total: 'true' });
    expect([...Value.Errors(ClinicianListResponse, page)]).toEqual([]);
    expect(Object.keys(ClinicianResponse.properties).sort()).toEqual([
      ...[
        'city',
        'credential',
        'enumerated_on',
        'first_name',
        'last_name',
        'last_updated_on',
        'middle_name',
        'npi',
      ],
      ...['postal_code', 'specialties', 'specialty', 'state', 'status', 'suffix'],
    ]);
    const [first] = page.data;
    expect(Value.Check(ClinicianResponse, { ...first, rate_floor: 1 })).toBe(false);
    expect(page.data.length).toBe(100);
  });

  test('are 25 long, and other spellings of a filter are the same filter', async () => {
    const page = await search(registry, { specialty: ' Registered  NURSE', state: 'tx', surname: "O'b" });
    expect((await search(registry, {})).data.length).toBe(25);
    const first = await search(registry, { specialty: 'RN', limit: '1' });
    const next = await search(registry, { specialty: 'rn ', limit: '5', cursor: first.next_cursor ?? '' });
    expect(next.data.map((row) => row.npi)).toEqual(expected(rows, { specialty: 'RN' }).slice(1, 6));
    expect(page.data.map((row) => row.npi)).toEqual(
      expected(rows, { specialty: 'RN', state: 'TX', surname: 'OB' }),
    );
  });

  test('over a swap give whom both registries have once', async () => {
    const added = sampleOf(ROWS, 50, 12);
    const kept = rows.filter((_, index) => index % 5 !== 0);
    await fc.assert(
      fc.asyncProperty(query, fc.nat(3), async (asked, when) => {
        registry.swap(rows);
        const found = await allPages({ ...asked, limit: '7' }, (page) => {
          if (page === when) registry.swap([...added, ...kept]);
        });
        const stayed = new Set(kept.map((row) => String(row.npi)));
        expect(found.filter((one) => stayed.has(one))).toEqual(expected(kept, asked));
        expect(new Set(found).size).toBe(found.length);
      }),
      { numRuns: 8 },
    );
    registry.swap(rows);
  }, 180_000);
});

describe('a search refuses', () => {
  const refused: [string, Search, string][] = [
    ['a state that is none', { state: 'XX' }, 'VALIDATION_FAILED'],
    ['an empty state', { state: '' }, 'VALIDATION_FAILED'],
    ['a surname of nothing', { surname: " -'" }, 'VALIDATION_FAILED'],
    ['a match without a surname', { match: 'exact' }, 'VALIDATION_FAILED'],
    ['an unknown specialty', { specialty: 'registerd nurse' }, 'UNKNOWN_SPECIALTY'],
    ['an empty specialty', { specialty: '' }, 'UNKNOWN_SPECIALTY'],
    ['a code that nobody has', { specialty: '888888888X' }, 'UNKNOWN_SPECIALTY'],
    ['no cursor', { cursor: '' }, 'INVALID_CURSOR'],
  ];
  test.each(refused)('%s', async (_, asked, code) => {
    expect(await refusalOf(search(registry, asked))).toBe(code);
  });

  test('with the name of the field, and suggestions', async () => {
    const wrong = { state: 'Texas', surname: '!' };
    expect(search(registry, wrong)).rejects.toMatchObject({
      details: { issues: { state: [expect.any(String)], surname: [expect.any(String)] } },
    });
    expect(search(registry, { specialty: 'registerd nurse' })).rejects.toMatchObject({
      details: { members: { suggestions: expect.arrayContaining(['Registered Nurse']) } },
    });
  });

  test('a cursor of other filters, another key or another spelling', async () => {
    const asked: Search = { state: 'TX', limit: '1' };
    const { next_cursor } = await search(registry, asked);
    const cursor = next_cursor ?? '';
    const others: Search[] = [
      {},
      { state: 'CA' },
      { state: 'TX', specialty: 'RN' },
      { state: 'TX', surname: 'g' },
    ];
    for (const other of others) {
      expect(await refusalOf(search(registry, { ...other, cursor }))).toBe('INVALID_CURSOR');
    }
    expect(
      await refusalOf(
        search({ ...registry, cursors: new Cursors(new Uint8Array(32)) }, { ...asked, cursor }),
      ),
    ).toBe('INVALID_CURSOR');
    await fc.assert(
      fc.asyncProperty(fc.nat(cursor.length - 1), fc.constantFrom(...'AZaz09-_ '), async (at, character) => {
        const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
        const wanted = changed === cursor ? 'none' : 'INVALID_CURSOR';
        expect(await refusalOf(search(registry, { ...asked, cursor: changed }))).toBe(wanted);
      }),
    );
    expect(await refusalOf(search(registry, { ...asked, limit: '9', cursor }))).toBe('none');
  });

  test.each([
    [{ limit: '0' }],
    [{ limit: '101' }],
    [{ limit: '1.0' }],
    [{ include_total: 'yes' }],
    [{ match: 'fuzzy' }],
    [{ offset: '1' }],
    [{ surname: 'x'.repeat(101) }],
  ])('what its schema does not have: %j', (asked) => {
    expect(Value.Check(SearchQuery, asked)).toBe(false);
  });

  test('nothing that its description promises', () => {
    const [state] = SearchQuery.properties.state.examples;
    expect(Value.Check(SearchQuery, { state, surname: "O'Brien", match: 'exact', limit: '100' })).toBe(true);
    expect(Value.Check(SpecialtiesQuery, { query: 'cardio' })).toBe(true);
    expect(Value.Check(SpecialtiesQuery, { q: 'cardio' })).toBe(false);
    expect(ClinicianPath.properties.npi.examples.every(isNpi)).toBe(true);
  });
});

describe('a clinician of the registry', () => {
  test('is found by NPI, as in the lists', async () => {
    const [first] = (await search(registry, { specialty: '207RC0000X' })).data;
    expect(first).toBeDefined();
    expect(await getClinician(registry, first?.npi ?? '')).toEqual(first ?? fail());
  });

  test.each(['', '123', '1234567890', '12345678930', 'abcdefghij', '1e9'])('%p is no NPI', async (text) => {
    expect(await refusalOf(getClinician(registry, text))).toBe('INVALID_NPI');
  });

  test('who is not there is not found', async () => {
    expect(await refusalOf(getClinician(registry, '1234567893'))).toBe('NOT_FOUND');
  });

  test('keeps a code that the taxonomy does not have, and may have none', async () => {
    const own = openTestRegistry([
      recordOf({
        npi: npi(0),
        codes: ['999999999X', '163WC0200X', '999999999X', 'nonsense', ''],
        state: 'tx',
      }),
      recordOf({ npi: npi(1), postalCode: '021', state: 'Texas' }),
    ]);
    expect(await getClinician(own, String(npi(0)))).toMatchObject({
      specialty: { code: '999999999X', name: null, classification: null, grouping: null },
      specialties: [
        { code: '999999999X', name: null, primary: true },
        { code: '163WC0200X', name: 'Critical Care Medicine Registered Nurse', primary: false },
      ],
      state: 'TX',
      status: 'active',
    });
    expect(await getClinician(own, String(npi(1)))).toMatchObject({
      ...{ specialty: null, specialties: [], postal_code: null, state: null },
    });
    own.close();
  });
});

describe('the registry', () => {
  test('has specialties that can be looked up', async () => {
    const found = await listSpecialties(registry, 'family nurse');
    expect([...Value.Errors(SpecialtiesResponse, found)]).toEqual([]);
    expect(found.data.map(({ code }) => code)).toContain('363LF0000X');
    expect(await specialtyCode(registry, 'ICU RN')).toBe('163WC0200X');
    expect(await specialtyCode(registry, 'RN')).toBe('163W00000X');
    expect(await specialtyCode(registry, 'Nursing Service Providers')).toBeNull();
    expect(await specialtyCode(registry, 'wizard')).toBeNull();
  });

  test('returns its date, its number of records, and whether it is a sample', async () => {
    expect(await registry.registry.info()).toEqual({ as_of: '2026-03-01', records: ROWS, sample: false });
  });
});

function fail(): never {
  throw new Error('there is none');
}
