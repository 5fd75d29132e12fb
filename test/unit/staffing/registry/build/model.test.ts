import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { KIND } from '../../../../../db/staffing/registry/schema.ts';
import { problemsIn } from '../../../../../src/platform/store/migrations/integrity.ts';
import { isPublicClinician } from '../../../../../src/staffing/clinicians/public-clinician.ts';
import { arePublicParts } from '../../../../../src/staffing/registry/build/render.ts';
import { buildRegistry } from '../../../../../src/staffing/registry/build.ts';
import type { ClinicianRecord } from '../../../../../src/staffing/registry/record.ts';
import { madeUpClinicians } from '../../../../../src/staffing/registry/sample/sample.ts';
import { fold, nameKeys } from '../../../../../src/staffing/registry/vocabulary/names.ts';
import { npiCheckDigit } from '../../../../../src/staffing/registry/vocabulary/npi.ts';
import { specialtiesOf } from '../../../../../src/staffing/registry/vocabulary/specialties.ts';
import { stateOf } from '../../../../../src/staffing/registry/vocabulary/states.ts';
import { OPTIONS } from '../../../../support/registry.ts';
import { type EntryRow, entriesOf, postingsOf } from '../../../../support/registry-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'countersign-model-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Name {
  key: string;
  kind: number;
  first: string;
  record: ClinicianRecord;
}

const byUtf8 = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));
const inOrder = (left: Name, right: Name): number =>
  byUtf8(left.key, right.key) || byUtf8(left.first, right.first) || left.record.npi - right.record.npi;

/** The labels of the named specialties of several codes that a code is in. */
const compoundOf = new Map<string, string[]>();
for (const { codes, label } of specialtiesOf(OPTIONS.taxonomy).compound) {
  for (const code of codes) compoundOf.set(code, [...(compoundOf.get(code) ?? []), label]);
}

/** Returns the labels of the lists that a clinician is in. */
function labelsOf({ codes, state, city, postalCode, firstName }: ClinicianRecord): string[] {
  const shaped = codes.filter((code) => /^[0-9A-Z]{9}X$/.test(code));
  const named = new Set(shaped.flatMap((code) => compoundOf.get(code) ?? []));
  const zip = /^[0-9]{5}/.exec(postalCode ?? '')?.[0];
  const first = [...fold(firstName ?? '')].slice(0, 8);
  const labels = [
    ...[...shaped, ...named].map((label) => `specialty ${label}`),
    ...(state === null || stateOf(state) === null ? [] : [`state ${stateOf(state)}`]),
    ...(fold(city ?? '') === '' ? [] : [`city ${fold(city ?? '')}`]),
    ...(zip === undefined ? [] : [`postal ${zip}`, `postal ${zip.slice(0, 3)}`]),
    ...first.map((_, index) => `first ${first.slice(0, index + 1).join('')}`),
  ];
  return [...new Set(labels)];
}

/** Returns what a segment is to have, by plain scans. */
function modelOf(records: readonly ClinicianRecord[]) {
  const names = records.flatMap((record): Name[] =>
    nameKeys(record.lastName, record.formerNames).map((name) => ({
      ...name,
      first: fold(record.firstName ?? ''),
      record,
    })),
  );
  const all = names.toSorted(inOrder);
  const whole = all.filter(({ kind }) => kind === KIND.whole);
  const other = all.filter(({ kind }) => kind !== KIND.whole);
  const merged = new Map(all.map((name, index) => [name, index]));
  const earlier = new Map<number, number>();
  const previous = new Map<Name, number>();
  for (const name of all) {
    if (name.kind === KIND.firstPart) continue;
    const before = earlier.get(name.record.npi);
    if (before !== undefined) previous.set(name, before);
    earlier.set(name.record.npi, merged.get(name) ?? 0);
  }
  const lists = (names: readonly Name[], isOdd: boolean): Map<string, number[]> => {
    const found = new Map<string, number[]>();
    const add = (label: string, ordinal: number): void => {
      const list = found.get(label);
      if (list === undefined) found.set(label, [ordinal]);
      else list.push(ordinal);
    };
    const later: [number, number][] = [];
    for (const [ordinal, name] of names.entries()) {
      for (const label of labelsOf(name.record)) add(label, ordinal);
      if (name.kind === KIND.firstPart) add('first part', ordinal);
      const before = previous.get(name);
      if (before !== undefined) later.push([ordinal, before]);
    }
    found.set('later', [...later.map(([ordinal]) => ordinal), ...later.map(([, before]) => before)]);
    if (isOdd && !found.has('first part')) found.set('first part', []);
    return found;
  };
  return { whole, other, wholeLists: lists(whole, false), otherLists: lists(other, true) };
}

const sorted = (lists: ReadonlyMap<string, number[]>): [string, number[]][] =>
  [...lists].sort(([left], [right]) => byUtf8(left, right));
const keysOf = ({ name_key, first_key, npi }: EntryRow): unknown[] => [name_key, first_key, npi];

/**
 * Builds a file from records with distinct NPIs, and compares all of its tables with the model; the texts of
 * one in `every` entries.
 */
function check(records: readonly ClinicianRecord[], every = 1): void {
  const { name, refused, ...built } = buildRegistry(directory, records, OPTIONS);
  const path = join(directory, name);
  const database = new Database(path);
  try {
    expect({ ...built, refused: refused.count }).toEqual({
      records: records.length,
      sample: OPTIONS.sample,
      duplicates: 0,
      refused: 0,
    });
    expect(problemsIn(database, 'full')).toEqual([]);
    const model = modelOf(records);
    for (const [segment, names, lists] of [
      [0, model.whole, model.wholeLists],
      [1, model.other, model.otherLists],
    ] as const) {
      const entries = entriesOf(database, segment);
      expect(entries.map(keysOf)).toEqual(names.map(({ key, first, record }) => [key, first, record.npi]));
      for (const [ordinal, { npi, record }] of entries.entries()) {
        if (ordinal % every !== 0) continue;
        const parsed: unknown = JSON.parse(record);
        expect(isPublicClinician(parsed)).toBe(true);
        expect(parsed).toMatchObject(shownOf(names[ordinal]?.record));
        expect(parsed).toMatchObject({ npi: String(npi) });
      }
      const fences = database
        .query<{ name_key: string; first_key: string; npi: number; ordinal: number }, [number]>(
          'SELECT * FROM fence WHERE segment = ? ORDER BY ordinal',
        )
        .all(segment);
      expect(fences.map(({ ordinal }) => ordinal)).toEqual(
        Array.from({ length: Math.ceil(entries.length / 32) }, (_, index) => index * 32),
      );
      for (const { ordinal, name_key, first_key, npi } of fences) {
        const entry = entries[ordinal];
        expect(entry === undefined ? [] : keysOf(entry)).toEqual([name_key, first_key, npi]);
      }
      expect(sorted(postingsOf(database, segment))).toEqual(sorted(lists));
    }
    expect(database.query('SELECT * FROM segment ORDER BY segment').values()).toEqual([
      [0, model.whole.length],
      [1, model.other.length],
    ]);
    checkClinicians(database, records, model, every);
    checkNearNames(database, model.whole);
    expect(database.query('SELECT first, at, as_of, kind FROM revision').values().length).toBe(1);
    for (const { npi, head, tail } of database
      .query<{ npi: number; head: string; tail: string }, [number]>(
        'SELECT npi, head, tail FROM entry WHERE place % ? = 0',
      )
      .all(every))
      expect(arePublicParts(npi, { head, tail })).toBe(true);
  } finally {
    database.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  }
}

function shownOf(record: ClinicianRecord | undefined): object {
  if (record === undefined) return { npi: 'none' };
  const shaped = record.codes.filter((code) => /^[0-9A-Z]{9}X$/.test(code));
  return {
    first_name: record.firstName,
    middle_name: record.middleName,
    last_name: record.lastName,
    suffix: record.suffix,
    credential: record.credential,
    city: record.city,
    state: record.state === null ? null : stateOf(record.state),
    postal_code: /^[0-9]{5}/.exec(record.postalCode ?? '')?.[0] ?? null,
    status: 'active',
    enumerated_on: record.enumeratedOn,
    last_updated_on: record.lastUpdatedOn,
    specialties: [...new Set(shaped)].map((code, index) => ({ code, primary: index === 0 })),
  };
}

function checkClinicians(
  database: Database,
  records: readonly ClinicianRecord[],
  { whole, other }: ReturnType<typeof modelOf>,
  every: number,
): void {
  const rows = database
    .query<{ npi: number; ordinal: number; others: string | null }, []>(
      'SELECT place + 1000000000 AS npi, ordinal, others FROM clinician ORDER BY place',
    )
    .all();
  expect(rows.map(({ npi }) => npi)).toEqual(records.map(({ npi }) => npi).sort((a, b) => a - b));
  const ordinals = new Map(whole.map(({ record }, ordinal) => [record.npi, ordinal]));
  const otherOrdinals = new Map(other.map(({ record, key }, ordinal) => [`${record.npi} ${key}`, ordinal]));
  const recordOf = new Map(records.map((record) => [record.npi, record]));
  for (const [index, { npi, ordinal, others }] of rows.entries()) {
    if (index % every !== 0) continue;
    expect(ordinal).toBe(ordinals.get(npi) ?? -1);
    const record = recordOf.get(npi);
    const expected = nameKeys(record?.lastName ?? '', record?.formerNames ?? [])
      .filter(({ kind }) => kind !== KIND.whole)
      .map(({ key, kind }) => [key, kind, otherOrdinals.get(`${npi} ${key}`)]);
    expect(others === null ? [] : JSON.parse(others)).toEqual(expected);
  }
}

function checkNearNames(database: Database, whole: readonly Name[]): void {
  const expected: string[] = [];
  for (const [key, group] of Map.groupBy(whole, (name) => name.key)) {
    if (group.length < 5 || key.length < 3 || key.length > 24) continue;
    const letters = [...key];
    const without = letters.map((_, left) => letters.filter((_, index) => index !== left).join(''));
    for (const spelling of new Set([key, ...without])) expected.push(`${spelling} ${key} ${group.length}`);
  }
  const rows = database.query('SELECT spelling, name_key, clinicians FROM near_name').values();
  expect(rows.map((row) => row.join(' ')).sort()).toEqual(expected.sort());
}

const nine = fc.integer({ min: 0, max: 99_999_999 }).map((number) => `2${String(number).padStart(8, '0')}`);
const npi = nine.map((digits) => Number(`${digits}${npiCheckDigit(digits)}`));
/**
 * Few distinct texts, so that names, cities and first names coincide; and any others that a record may have.
 */
const text = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        'SMITH',
        'SMYTH',
        'Smith-Jones',
        'JONES',
        'VAN DER BERG',
        'DE LA CRUZ',
        "O'BRIEN",
        'ØSTERGÅRD',
        'ß',
      ],
      ...[
        'A',
        'AB',
        'ABC-ABC',
        '𝔖𝔪𝔦𝔱𝔥',
        '𐐷',
        '\uffef',
        '李',
        '"',
        '\\',
        '{"npi":1}',
        "';--",
        'null',
        '__proto__',
        '- -',
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', minLength: 1, maxLength: 100 })
      .map((some) => `X${some.replace(/\p{Cc}/gu, '')}`.slice(0, 100))
      .filter((some) => some.isWellFormed()),
  },
);
const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { freq: 4 });
const day = fc.constantFrom('2019-04-30', '2020-02-29', '2005-12-01');
const record: fc.Arbitrary<ClinicianRecord> = fc.record({
  npi,
  lastName: text,
  formerNames: fc.array(text, { maxLength: 3 }),
  firstName: orNull(text),
  middleName: orNull(text),
  suffix: orNull(text),
  credential: orNull(text),
  codes: fc.array(
    fc.constantFrom('163W00000X', '163WC0200X', '363LF0000X', '207R00000X', '999900000X', 'nothing', ''),
    { maxLength: 5 },
  ),
  city: orNull(text),
  state: orNull(fc.constantFrom('TX', 'ca', ' NY ', 'XX', '')),
  postalCode: orNull(fc.constantFrom('78789', '787891234', '02139', '9021', 'SW1A', '')),
  enumeratedOn: orNull(day),
  lastUpdatedOn: orNull(day),
});
const records = fc.uniqueArray(record, { selector: ({ npi }) => npi, maxLength: 80 });

describe('a registry file equals what plain scans of its records give', () => {
  test('for any records, hostile names among them', () => {
    fc.assert(
      fc.property(records, (some) => check(some)),
      {
        numRuns: 60,
        examples: [[[]]],
      },
    );
  }, 180_000);

  test('for lists of several parts, as bitmaps and as numbers', () => {
    // Nurses are a bitmap and the largest state is numbers in each of the parts.
    check([...madeUpClinicians(66_000, 11)], 97);
  }, 180_000);
});

describe('the digest of a clinician', () => {
  const digestOf = (one: ClinicianRecord): unknown => {
    const { name } = buildRegistry(directory, [one], OPTIONS);
    const database = new Database(join(directory, name));
    const row = database.query<{ digest: number }, []>('SELECT digest FROM clinician').get();
    database.close();
    return row?.digest;
  };
  const base: ClinicianRecord = {
    npi: 2_000_000_002,
    lastName: 'SMITH',
    formerNames: ['JONES'],
    firstName: 'JANE',
    middleName: 'A',
    suffix: 'JR.',
    credential: 'RN',
    codes: ['163W00000X', '163WC0200X'],
    city: 'AUSTIN',
    state: 'TX',
    postalCode: '78789',
    enumeratedOn: '2019-04-30',
    lastUpdatedOn: '2020-02-29',
  };

  test('is the same for the same clinician in any file', () => {
    expect(digestOf(base)).toBe(digestOf({ ...base, postalCode: '787891234' }));
  });

  test.each([
    ['lastName', { lastName: 'SMYTH' }],
    ['formerNames', { formerNames: ['JONES', 'BROWN'] }],
    ['firstName', { firstName: 'JAN' }],
    ['middleName', { middleName: null }],
    ['suffix', { suffix: 'SR.' }],
    ['credential', { credential: 'R.N.' }],
    ['codes', { codes: ['163WC0200X', '163W00000X'] }],
    ['city', { city: 'Austin' }],
    ['state', { state: 'CA' }],
    ['postalCode', { postalCode: '78788' }],
    ['enumeratedOn', { enumeratedOn: '2019-05-01' }],
    ['lastUpdatedOn', { lastUpdatedOn: null }],
  ])('differs when %s changes', (_, change) => {
    expect(digestOf({ ...base, ...change })).not.toBe(digestOf(base));
  });
});
