import type { ClinicianRecord } from '../record.ts';
import { npiCheckDigit } from '../vocabulary/npi.ts';
import { chooser, pickFrom, type Random, randomFrom } from './random.ts';
import {
  CITIES,
  FIRST_NAMES,
  PROFESSIONS,
  RARE_SURNAMES,
  SUFFIXES,
  SURNAME_BEGINNINGS,
  SURNAME_ENDINGS,
  SURNAMES,
  UNKNOWN_CODES,
} from './words.ts';

/**
 * Yields fictitious clinicians, the same for the same seed. Their NPIs begin with 2, unlike any real NPI, and
 * have a valid check digit. `count` is at most a hundred million, so that every NPI is unique.
 */
export function* madeUpClinicians(count: number, seed: number): Generator<ClinicianRecord> {
  const random = randomFrom(seed);
  for (let index = 0; index < count; index++) yield madeUpClinician(random, madeUpNpi(index));
}

/** Returns the NPI with an index. The factor is coprime to the range, so that no NPI repeats. */
export function madeUpNpi(index: number): number {
  const nine = `2${String((index * 48_271 + 12_345) % 100_000_000).padStart(8, '0')}`;
  return Number(`${nine}${npiCheckDigit(nine)}`);
}

/** Chooses a name by rank, because frequencies of names decrease with the rank. */
const byRank = (names: readonly string[]) =>
  chooser(names.map((name, rank) => [name, 1 / (rank + 12)] as const));
const frequentSurname = byRank(SURNAMES);
const rareSurname = byRank(RARE_SURNAMES);
const firstName = byRank(FIRST_NAMES);
const place = chooser(CITIES.map((state) => [state, state.weight] as const));
const profession = chooser(PROFESSIONS.map((known) => [known, known[1]] as const));
/**
 * The field of a code. A clinician with two specialties has both in one field; nurses and nurse practitioners
 * count as one.
 */
const familyOf = (code: string): string => code.slice(0, 2).replace('36', '16');
const kindred = new Map(
  [...Map.groupBy(PROFESSIONS, ([code]) => familyOf(code))].map(
    ([family, some]) => [family, chooser(some.map((known) => [known, known[1]] as const))] as const,
  ),
);
const beginning = chooser(SURNAME_BEGINNINGS.map((part, rank) => [part, 1 / (rank + 30)] as const));
const ending = chooser(SURNAME_ENDINGS.map((part, rank) => [part, 1 / (rank + 30)] as const));

/** Makes up a clinician from a stream of random numbers. */
export function madeUpClinician(random: Random, npi: number): ClinicianRecord {
  const happens = (share: number): boolean => random() < share;
  const lastName = happens(0.05)
    ? `${surname(random)}${happens(0.7) ? '-' : ' '}${surname(random)}`
    : surname(random);
  const formerNames = happens(0.07) ? [surname(random)] : [];
  const [first, credentials] = professionOf(random);
  const codes = [first];
  for (const share of [0.22, 0.05])
    if (happens(share)) codes.push(kindred.get(familyOf(first))?.(random)[0] ?? first);
  if (happens(0.003)) codes.unshift(pickFrom(random, UNKNOWN_CODES));
  const { state, towns } = place(random);
  const town = towns[Math.floor(random() * towns.length)];
  const hasPlace = !happens(0.004);
  const enumerated = 2005 + Math.floor(random() * 20);
  return {
    npi,
    lastName,
    formerNames,
    firstName: happens(0.001) ? null : firstName(random),
    middleName: happens(0.6) ? (happens(0.5) ? letter(random) : firstName(random)) : null,
    suffix: happens(0.02) ? pickFrom(random, SUFFIXES) : null,
    credential:
      credentials.length === 0 || happens(0.12)
        ? null
        : (credentials[Math.floor(random() * credentials.length)] ?? null),
    codes: happens(0.002) ? [] : codes,
    city: hasPlace ? (town?.city ?? null) : null,
    state: hasPlace ? state : null,
    postalCode: hasPlace && town !== undefined ? `${town.zip}${twoDigits(random, 99)}` : null,
    enumeratedOn: day(random, enumerated),
    lastUpdatedOn: day(random, enumerated + 1 + Math.floor(random() * (2025 - enumerated))),
  };
}

function surname(random: Random): string {
  const kind = random();
  if (kind < 0.02) return rareSurname(random);
  return kind < 0.4 ? frequentSurname(random) : beginning(random) + ending(random);
}

function professionOf(random: Random): readonly [code: string, credentials: readonly string[]] {
  const [code, , credentials] = profession(random);
  return [code, credentials];
}

function letter(random: Random): string {
  return String.fromCharCode(65 + Math.floor(random() * 26));
}

function day(random: Random, year: number): string {
  return `${year}-${twoDigits(random, 12, 1)}-${twoDigits(random, 28, 1)}`;
}

/** Returns a random number from `lowest` to `highest` in two digits. */
function twoDigits(random: Random, highest: number, lowest = 0): string {
  return String(lowest + Math.floor(random() * (highest - lowest + 1))).padStart(2, '0');
}
