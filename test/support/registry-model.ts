import fc from 'fast-check';
import { KIND } from '../../db/staffing/registry/schema.ts';
import type { Search } from '../../src/staffing/clinicians/schema.ts';
import type { ClinicianRecord } from '../../src/staffing/registry/record.ts';
import { nameKeys } from '../../src/staffing/registry/vocabulary/names.ts';
import { npiCheckDigit } from '../../src/staffing/registry/vocabulary/npi.ts';
import { specialtiesOf } from '../../src/staffing/registry/vocabulary/specialties.ts';
import { OPTIONS } from './registry.ts';

const CODES = [
  '163W00000X',
  '163WC0200X',
  '163WE0003X',
  '363L00000X',
  '363LF0000X',
  '363A00000X',
  '207R00000X',
];
const MORE_CODES = [...CODES, '207RC0000X', '207LP2900X', '2084P2900X', '208VP0000X', '999999999X'];
const LAST_NAMES = [
  "O'BRIEN",
  'GARCIA',
  'Garcia-Lopez',
  'LOPEZ GARCIA',
  'LOPEZ',
  'Łopeż',
  'DE LA CRUZ',
  'CRUZ',
  'OBRIEN-CRUZ',
];
const FIRST_NAMES = [
  'ANN',
  'Änn',
  'BOB',
  'CHRISTOPHER',
  'CHRISTOPHE',
  'Christopher-James Alexander',
  'MARIA DEL CARMEN GUADALUPE',
];
const MORE_NAMES = [
  ...LAST_NAMES,
  'SMITH',
  'SMITHE',
  'ÆRØ',
  'Ζωή',
  '𐐀𐐁',
  '-',
  'GARCÍA GARCÍA',
  'ST. JOHN',
  'ST JOHNS',
];

/** Returns the NPI of a made-up clinician. */
export const npi = (index: number): number => {
  const nine = String(200_000_000 + index * 7);
  return Number(`${nine}${npiCheckDigit(nine)}`);
};
/** Any clinician with the NPI of an index. */
const arbitraryRecord = (index: number): fc.Arbitrary<ClinicianRecord> =>
  fc.record({
    npi: fc.constant(npi(index)),
    lastName: fc.constantFrom(...MORE_NAMES),
    formerNames: fc.array(fc.constantFrom(...MORE_NAMES), { maxLength: 1 }),
    firstName: fc.constantFrom(...FIRST_NAMES, null),
    middleName: fc.constant(null),
    suffix: fc.constantFrom('JR.', null),
    credential: fc.constantFrom('RN', null),
    codes: fc.array(fc.constantFrom(...MORE_CODES), { maxLength: 4 }),
    city: fc.constantFrom('AUSTIN', 'St. Paul', 'SAINT PAUL', 'Coeur d’Alene', null),
    state: fc.constantFrom('TX', 'CA', 'XX', null),
    postalCode: fc.constantFrom('787011234', '78702', '7870', '90210', null),
    enumeratedOn: fc.constantFrom('2010-01-01', null),
    lastUpdatedOn: fc.constant('2020-02-02'),
  });
/** Returns `count` made-up clinicians with the NPIs from an index on. */
export const sampleOf = (from: number, count: number, seed: number): ClinicianRecord[] =>
  fc
    .sample(fc.tuple(...Array.from({ length: count }, (_, index) => arbitraryRecord(from + index))), {
      numRuns: 1,
      seed,
    })
    .flat();

const filters: fc.Arbitrary<Search> = fc.record(
  {
    state: fc.constantFrom('TX', 'ca', 'WY'),
    specialty: fc.constantFrom(
      ...[
        'RN',
        'registered nurse',
        'NP',
        'PA',
        'MD',
        'MD pain medicine',
        '363lf0000x',
        '999999999X',
        'Dentist',
      ],
    ),
    surname: fc.constantFrom(
      "o'b",
      'g',
      'garcia',
      'GARCIA LO',
      'l',
      'lopez',
      'cruz',
      'la',
      's',
      'smith',
      'st j',
      'ζ',
      '𐐀',
      'ae',
    ),
    match: fc.constantFrom('prefix', 'exact'),
    city: fc.constantFrom('austin', 'ST PAUL', "coeur d'alene", 'nowhere'),
    postal_code: fc.constantFrom('787', '78701', '902', '00000'),
    first_name: fc.constantFrom('a', 'Änn', 'christopher', 'CHRISTOPHER-J', 'maria del carmen', 'zz'),
    npi: fc.uniqueArray(fc.nat(120), { minLength: 1, maxLength: 100 }).map((some) => some.map(npi).join(',')),
  },
  { requiredKeys: [] },
);
/** Queries of any filters together. */
export const query = filters.map(
  ({ match, ...rest }): Search =>
    match === undefined || rest.surname === undefined ? rest : { ...rest, match },
);

const taxonomy = specialtiesOf(OPTIONS.taxonomy);

/** Folding and the names of a clinician, said once more and plainly. */
const plainKey = (name: string): string =>
  name
    .normalize('NFD')
    .toUpperCase()
    .replaceAll('Ł', 'L')
    .replaceAll('Æ', 'AE')
    .replaceAll('Ø', 'O')
    .replace(/[^\p{L}\p{Nd}]/gu, '');

/** The names by which a search finds a clinician. The keys of names have tests of their own. */
function matching({ lastName, formerNames }: ClinicianRecord, { surname, match }: Search): string[] {
  const keys = nameKeys(lastName, formerNames);
  if (surname === undefined) return keys.filter(({ kind }) => kind === KIND.whole).map(({ key }) => key);
  const wanted = plainKey(surname);
  return keys
    .filter(({ key, kind }) =>
      match === 'exact' ? key === wanted : kind !== KIND.firstPart && key.startsWith(wanted),
    )
    .map(({ key }) => key);
}

const bytes = (left: string, right: string): number => Buffer.compare(Buffer.from(left), Buffer.from(right));

/** What a search is: the NPIs of all who match, in order, by filtering and sorting all rows. */
export function expected(rows: readonly ClinicianRecord[], asked: Search): string[] {
  const codes =
    asked.specialty === undefined
      ? undefined
      : (taxonomy.resolve(asked.specialty)?.codes ?? [asked.specialty]);
  return rows
    .filter(
      (row) =>
        (asked.state === undefined || row.state === asked.state.toUpperCase()) &&
        (asked.city === undefined || plainKey(row.city ?? '') === plainKey(asked.city)) &&
        (asked.postal_code === undefined ||
          (/^[0-9]{5}/.exec(row.postalCode ?? '')?.[0] ?? '').startsWith(asked.postal_code)) &&
        (asked.first_name === undefined ||
          plainKey(row.firstName ?? '').startsWith(plainKey(asked.first_name))) &&
        (asked.npi === undefined || asked.npi.split(',').includes(String(row.npi))) &&
        (codes === undefined || row.codes.some((code) => codes.includes(code))),
    )
    .flatMap((row) => {
      const [name] = matching(row, asked).sort(bytes);
      return name === undefined ? [] : [{ name, first: plainKey(row.firstName ?? ''), npi: row.npi }];
    })
    .sort(
      (left, right) => bytes(left.name, right.name) || bytes(left.first, right.first) || left.npi - right.npi,
    )
    .map((row) => String(row.npi));
}
