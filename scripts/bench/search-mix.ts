import type { ClinicianRecord } from '../../src/staffing/registry/record.ts';
import { pickFrom, type Random, randomFrom } from '../../src/staffing/registry/sample/random.ts';
import { madeUpClinicians } from '../../src/staffing/registry/sample/sample.ts';

/** A search as a client sends it: the query string. */
export type Question = Readonly<Record<string, string>>;

/** Named specialties as recruiters write them, large and small ones. */
const SPECIALTIES = [
  'RN',
  'NP',
  'PA',
  'PT',
  'OT',
  'SLP',
  'MD',
  'CRNA',
  'ICU RN',
  'ER nurse',
  'LPN',
  'pharmacist',
  'MD cardiology',
  'dentist',
  'psychiatrist',
  'family medicine',
  'social worker',
  'surgical tech',
] as const;

/** The filters that the mix combines, each with a value that a clinician of the registry has. */
const FILTERS: Readonly<Record<string, (someone: ClinicianRecord, random: Random) => Question>> = {
  state: ({ state }) => (state === null ? {} : { state }),
  specialty: ({ codes }, random) => {
    const [code] = codes;
    return { specialty: code !== undefined && random() < 0.4 ? code : pickFrom(random, SPECIALTIES) };
  },
  surname: ({ lastName }, random) => ({ surname: lastName.slice(0, 1 + Math.floor(random() * 6)) }),
  exact: ({ lastName }) => ({ surname: lastName, match: 'exact' }),
  city: ({ city }) => (city === null ? {} : { city }),
  zip: ({ postalCode }) => (postalCode === null ? {} : { postal_code: postalCode.slice(0, 5) }),
  zip3: ({ postalCode }) => (postalCode === null ? {} : { postal_code: postalCode.slice(0, 3) }),
  first: ({ firstName }, random) =>
    firstName === null ? {} : { first_name: firstName.slice(0, 1 + Math.floor(random() * 8)) },
};

/**
 * A kind of question: the filters that it has, and whether it asks for the total and for a page deep in the
 * list.
 */
export interface Kind {
  name: string;
  filters: readonly string[];
  total: boolean;
  deep: boolean;
}

/** All single filters and all pairs, on the first page and deep in the list, with and without the total. */
export function kinds(): Kind[] {
  const names = Object.keys(FILTERS);
  const sets = [
    [],
    ...names.map((name) => [name]),
    ...names.flatMap((name, index) => names.slice(index + 1).map((other) => [name, other])),
  ].filter(
    (some) =>
      !(some.includes('zip') && some.includes('zip3')) &&
      !(some.includes('surname') && some.includes('exact')),
  );
  return sets.flatMap((filters) =>
    [false, true].flatMap((total) =>
      [false, true].map((deep) => ({
        name: `${filters.join(' + ') || 'nothing'}${total ? ', total' : ''}${deep ? ', page 1,000' : ''}`,
        filters,
        total,
        deep,
      })),
    ),
  );
}

/**
 * Yields questions of the mix for ever, kind after kind, each with values of another clinician: the same
 * questions for the same seed. The filters of a pair are values of two clinicians in half of the questions,
 * so that many find little or nothing.
 */
export function* questions(
  seed: number,
): Generator<{ kind: Kind; question: Question; someone: ClinicianRecord }> {
  const random = randomFrom(seed);
  const people = madeUpClinicians(10_000_000, seed);
  const all = kinds();
  for (;;) {
    for (const kind of all) {
      const [someone, other] = [people.next().value, people.next().value];
      if (!someone || !other) return;
      const isAlike = random() < 0.5;
      const parts = kind.filters.map(
        (name, index) => FILTERS[name]?.(isAlike || index === 0 ? someone : other, random) ?? {},
      );
      yield {
        kind,
        someone,
        question: Object.assign({}, ...parts, kind.total ? { include_total: 'true' } : {}),
      };
    }
  }
}
