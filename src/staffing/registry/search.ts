import { FIRST_NAME_BEGINNING, LIST } from '../../../db/staffing/registry/schema.ts';
import { spellingsOf } from './build/near-names.ts';
import type { Registry } from './open.ts';
import type { FoundRow, Question } from './search/engine.ts';
import { type Specialty, specialtyOfUnnamedCode } from './vocabulary/specialty.ts';
import { isCodeShaped } from './vocabulary/taxonomy.ts';

export { arePublicParts } from './build/render.ts';
export type { ChangeRow, History } from './search/changes-store.ts';
export type { FoundRow, PagePosition, Question } from './search/engine.ts';

/** The filters of a search; null for no filter. */
export interface Filters {
  /** A state's abbreviation of two letters. */
  state: string | null;
  specialty: Specialty | null;
  /** Folded. */
  surname: string | null;
  /** True if the surname must match exactly, false if as a prefix. */
  exact: boolean;
  /** Folded. */
  city: string | null;
  /** Five digits, or the first three of them. */
  postalCode: string | null;
  /** What the first name begins with, folded. */
  firstName: string | null;
  npis: readonly number[] | null;
}

/** Greater than every character of a key, which has only letters and digits: ends the range of a prefix. */
const HIGHEST = '\u{10ffff}';
/** Less than every character of a key: ends the range of an exact key, before its extensions. */
const LOWEST = ' ';

/**
 * Returns the specialty with a name, or a code that clinicians have but the taxonomy does not; null for an
 * unknown text.
 */
export function specialtyIn({ specialties: named, engine }: Registry, text: string): Specialty | null {
  const known = named.resolve(text);
  if (known !== null) return known;
  const code = text.toUpperCase();
  return isCodeShaped(code) && engine.knows(LIST.specialty(code)) ? specialtyOfUnnamedCode(code) : null;
}

/** Returns what the filters ask of a registry file. */
export function questionOf({
  state,
  specialty,
  surname,
  exact,
  city,
  postalCode,
  firstName,
  npis,
}: Filters): Question {
  const letters = firstName === null ? [] : [...firstName];
  return {
    labels: [
      ...(specialty === null ? [] : [LIST.specialty(specialty.label)]),
      ...(state === null ? [] : [LIST.state(state)]),
      ...(city === null ? [] : [LIST.city(city)]),
      ...(postalCode === null ? [] : [LIST.postalCode(postalCode)]),
      ...(firstName === null ? [] : [LIST.firstName(letters.slice(0, FIRST_NAME_BEGINNING).join(''))]),
    ],
    names: surname === null ? null : { from: surname, before: surname + (exact ? LOWEST : HIGHEST), exact },
    firstName: letters.length > FIRST_NAME_BEGINNING ? firstName : null,
    npis,
  };
}

/** Returns the public record of an entry as JSON, as it was rendered when the file was written. */
export function recordTextOf({ engine }: Registry, { head, codes, tail }: FoundRow): string {
  return head + engine.codesText(codes) + tail;
}

/** Returns surnames of several clinicians that differ little from a folded name, the nearest first. */
export function namesNear({ engine }: Registry, name: string): { name: string; clinicians: number }[] {
  return engine.nearNames(spellingsOf(name));
}
