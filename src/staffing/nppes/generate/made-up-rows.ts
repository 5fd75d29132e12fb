import type { ClinicianRecord } from '../../registry/record.ts';
import { type Random, randomFrom } from '../../registry/sample/random.ts';
import { madeUpClinician, madeUpNpi } from '../../registry/sample/sample.ts';
import { SURNAME_BEGINNINGS, SURNAME_ENDINGS } from '../../registry/sample/words.ts';
import { embeddedTaxonomy } from '../../registry/vocabulary/taxonomy.ts';
import { CLINICAL_GROUPINGS } from '../groupings.ts';
import {
  FIRST_NAME_ENDINGS,
  FIRST_NAME_MIDDLES,
  FOREIGN_PLACES,
  SURNAME_TAILS,
  TOWN_ENDINGS,
} from './words.ts';

/** An active individual. */
export interface MadeUpIndividual {
  kind: 'individual';
  /** The record that a reader makes of the row. */
  record: ClinicianRecord;
  /** The place as the file has it, if it is not in the United States. */
  foreign: (typeof FOREIGN_PLACES)[number] | null;
  /** The days of a deactivation and reactivation, YYYY-MM-DD. */
  reactivated: readonly [deactivatedOn: string, reactivatedOn: string] | null;
  /** For the values of the columns that no registry has. */
  random: Random;
}

/** A made-up row of a dissemination file. */
export type MadeUpRow =
  | MadeUpIndividual
  | { kind: 'organization'; npi: number; updatedOn: string; random: Random }
  | { kind: 'deactivated'; npi: number; deactivatedOn: string };

/** What the rows of a full file are: mostly clinicians, or as in the files of CMS. */
export const MIXES = ['clinicians', 'cms'] as const;
export type Mix = (typeof MIXES)[number];

/** The shares of rows, of all. The rest are individuals. */
const SHARES: Readonly<Record<Mix, { organizations: number; deactivated: number }>> = {
  clinicians: { organizations: 0.02, deactivated: 0.01 },
  cms: { organizations: 0.22, deactivated: 0.04 },
};
/** Shares of individuals. */
const REACTIVATED = 0.002;
const FOREIGN = 0.003;
const RARE_SURNAME = 0.43;
const RARE_FIRST_NAME = 0.18;
const SMALL_TOWN = 0.55;
/** Of all: a first code that few have. Of those with several codes: other codes than the frequent ones. */
const RARE_CODE = 0.1;
const RARE_OTHER_CODES = 0.8;
/** Of those: each further code. */
const ONE_CODE_MORE = 0.4;
/** NPPES has 15 columns of codes, one of which may repeat another. */
const MOST_CODES = 14;

/** Returns the row with an index in the full file. */
export function madeUpRow(index: number, seed: number, mix: Mix = 'clinicians'): MadeUpRow {
  const { organizations, deactivated } = SHARES[mix];
  const random = randomOf(index, seed);
  const npi = madeUpNpi(index);
  const kind = random();
  if (kind < organizations) return { kind: 'organization', npi, updatedOn: day(random, 2010, 2025), random };
  if (kind < organizations + deactivated) {
    return { kind: 'deactivated', npi, deactivatedOn: day(random, 2008, 2025) };
  }
  return madeUpIndividual(npi, random);
}

/** Returns an individual. */
export function madeUpIndividual(npi: number, random: Random): MadeUpIndividual {
  const record = varied(madeUpClinician(random, npi), random);
  const foreign = random() < FOREIGN ? one(FOREIGN_PLACES, random) : null;
  const isReactivated = random() < REACTIVATED;
  return {
    kind: 'individual',
    record: foreign === null ? record : { ...record, city: foreign[2], state: null, postalCode: null },
    foreign,
    reactivated: isReactivated ? [day(random, 2012, 2016), day(random, 2017, 2024)] : null,
    random,
  };
}

/**
 * Returns the individual as a weekly file has it after a change: moved, with another surname or specialty, or
 * only confirmed.
 */
export function changed(row: MadeUpIndividual, on: string, random: Random): MadeUpIndividual {
  const other = madeUpIndividual(row.record.npi, random).record;
  const record = { ...row.record, lastUpdatedOn: on };
  const kind = random();
  if (kind < 0.5) return { ...row, record: { ...record, ...placeOf(other) }, foreign: null };
  if (kind < 0.65) {
    const formerNames = [record.lastName].filter((name) => name !== other.lastName);
    return { ...row, record: { ...record, lastName: other.lastName, formerNames } };
  }
  if (kind < 0.85) return { ...row, record: { ...record, codes: other.codes, credential: other.credential } };
  return { ...row, record };
}

function placeOf({ city, state, postalCode }: ClinicianRecord): Partial<ClinicianRecord> {
  return { city, state, postalCode };
}

/**
 * Returns a stream of random numbers for each row, so that a weekly file can change rows without making up
 * all others.
 */
export function randomOf(index: number, seed: number): Random {
  return randomFrom(Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(seed + 1, 0x85ebca6b));
}

/**
 * Gives a clinician of the sample one of many more names, towns and sets of codes, as the real file has them.
 * The memory of an import depends on how many of them are distinct.
 */
function varied(record: ClinicianRecord, random: Random): ClinicianRecord {
  const isRare = random() < RARE_SURNAME;
  const isRarelyCalled = record.firstName !== null && random() < RARE_FIRST_NAME;
  const isFromTown = record.state !== null && random() < SMALL_TOWN;
  const zip = (record.postalCode ?? '').slice(0, 2);
  const lastName = isRare ? rareSurname(random) : record.lastName;
  return {
    ...record,
    lastName,
    formerNames: record.formerNames.filter((name) => name !== lastName),
    firstName: isRarelyCalled
      ? of(SURNAME_BEGINNINGS, random) + of(FIRST_NAME_MIDDLES, random) + of(FIRST_NAME_ENDINGS, random)
      : record.firstName,
    city: isFromTown ? of(SURNAME_BEGINNINGS, random) + of(TOWN_ENDINGS, random) : record.city,
    postalCode: isFromTown ? `${zip}${digits(random, 3)}` : record.postalCode,
    codes: variedCodes(record.codes, random),
  };
}

const CODES = embeddedTaxonomy()
  .filter(({ grouping }) => CLINICAL_GROUPINGS.includes(grouping))
  .map(({ code }) => code);
/** By the first two characters, which are those of a field, such as `20` of physicians. */
const CODES_OF_FIELDS = Map.groupBy(CODES, (code) => code.slice(0, 2));

function variedCodes([first, ...others]: readonly string[], random: Random): string[] {
  if (first === undefined) return [];
  const primary = random() < RARE_CODE ? of(CODES, random) : first;
  if (others.length === 0) return [primary];
  if (random() >= RARE_OTHER_CODES) return [...new Set([primary, ...others])];
  const field = CODES_OF_FIELDS.get(primary.slice(0, 2)) ?? CODES;
  const codes = new Set([primary, of(field, random)]);
  while (codes.size < MOST_CODES && random() < ONE_CODE_MORE) codes.add(of(CODES, random));
  return [...codes];
}

function rareSurname(random: Random): string {
  return of(SURNAME_BEGINNINGS, random) + of(SURNAME_ENDINGS, random) + of(SURNAME_TAILS, random);
}

/** Chooses the first ones more often. */
function of(words: readonly string[], random: Random): string {
  return words[Math.floor(random() ** 1.5 * words.length)] ?? '';
}

/** Chooses any of some things, or null if there are none. */
export function one<T>(things: readonly T[], random: Random): T | null {
  return things[Math.floor(random() * things.length)] ?? null;
}

/** Returns a random text of digits that is not only zeros. */
export function digits(random: Random, count: number): string {
  return String(1 + Math.floor(random() * (10 ** count - 1))).padStart(count, '0');
}

function day(random: Random, from: number, to: number): string {
  const two = (most: number): string => String(1 + Math.floor(random() * most)).padStart(2, '0');
  return `${from + Math.floor(random() * (to - from + 1))}-${two(12)}-${two(28)}`;
}
