import type { ClinicianRecord } from './record.ts';
import { fold, type NameKey, nameKeys } from './vocabulary/names.ts';
import type { Specialties } from './vocabulary/specialties.ts';
import { stateOf } from './vocabulary/states.ts';
import { isCodeShaped } from './vocabulary/taxonomy.ts';

/** The columns of `clinician` in their order: the stored part of a record, without the search keys. */
export type Columns = [
  npi: number,
  lastName: string,
  firstName: string | null,
  middleName: string | null,
  suffix: string | null,
  credential: string | null,
  codes: string,
  city: string | null,
  state: string | null,
  postalCode: string | null,
  enumeratedOn: string | null,
  lastUpdatedOn: string | null,
];

/** A clinician in a registry file. */
export interface Entry {
  columns: Columns;
  codes: string;
  state: string | null;
  names: readonly NameKey[];
  firstKey: string;
}

/** Converts a record to an entry. It reads each member by name and ignores all others. */
export function entryOf(record: ClinicianRecord): Entry {
  const { npi, lastName, firstName, middleName, suffix, credential, city, enumeratedOn, lastUpdatedOn } =
    record;
  const codes = joinedCodes(record.codes);
  const state = record.state === null ? null : stateOf(record.state);
  const postalCode = /^[0-9]{5}/.exec(record.postalCode ?? '')?.[0] ?? null;
  const dates = [enumeratedOn, lastUpdatedOn] as const;
  return {
    columns: [
      npi,
      lastName,
      firstName,
      middleName,
      suffix,
      credential,
      codes,
      city,
      state,
      postalCode,
      ...dates,
    ],
    codes,
    state,
    names: nameKeys(lastName, record.formerNames),
    firstKey: fold(firstName ?? ''),
  };
}

function joinedCodes(codes: readonly string[]): string {
  const [only] = codes;
  if (only !== undefined && codes.length === 1) return isCodeShaped(only) ? only : '';
  return [...new Set(codes.filter(isCodeShaped))].join(' ');
}

/** The labels of the named specialties that clinicians belong to. */
export interface Labels {
  /** The named specialties of several codes. */
  readonly compound: readonly { label: string }[];
  /**
   * Returns the codes and the labels of the named specialties that have one of them. `codes`: separated by
   * spaces.
   */
  of(codes: string): string[];
}

export function labelsOf(specialties: Specialties): Labels {
  const byCode = new Map<string, string[]>();
  for (const { label, codes } of specialties.compound) {
    for (const code of codes) byCode.set(code, [...(byCode.get(code) ?? []), label]);
  }
  return {
    compound: specialties.compound,
    of(joined) {
      const codes = joined === '' ? [] : joined.split(' ');
      return [...new Set([...codes, ...codes.flatMap((code) => byCode.get(code) ?? [])])];
    },
  };
}
