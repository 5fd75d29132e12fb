import { Failure } from '../../../platform/failure.ts';

/** A clinician has at most this many taxonomy codes. */
export const TAXONOMIES = 15;

/** The columns that are read, by the names that CMS gives them. */
export const COLUMN = {
  npi: 'NPI',
  entityType: 'Entity Type Code',
  lastName: 'Provider Last Name (Legal Name)',
  firstName: 'Provider First Name',
  middleName: 'Provider Middle Name',
  suffix: 'Provider Name Suffix Text',
  credential: 'Provider Credential Text',
  otherLastName: 'Provider Other Last Name',
  otherLastNameType: 'Provider Other Last Name Type Code',
  city: 'Provider Business Practice Location Address City Name',
  state: 'Provider Business Practice Location Address State Name',
  postalCode: 'Provider Business Practice Location Address Postal Code',
  country: 'Provider Business Practice Location Address Country Code (If outside U.S.)',
  enumeratedOn: 'Provider Enumeration Date',
  lastUpdatedOn: 'Last Update Date',
  deactivatedOn: 'NPI Deactivation Date',
  reactivatedOn: 'NPI Reactivation Date',
} as const;
export type ColumnKey = keyof typeof COLUMN;

/** The name of the column of a taxonomy code, `slot` from 1. */
export const codeColumn = (slot: number): string => `Healthcare Provider Taxonomy Code_${slot}`;
/** The name of the column that says whether a taxonomy is the primary one. */
export const switchColumn = (slot: number): string => `Healthcare Provider Primary Taxonomy Switch_${slot}`;

/** The positions of the columns in the rows of a file. */
export interface Columns {
  /** The number of columns of a row. */
  count: number;
  header: 'V1' | 'V2' | 'other';
  of: Readonly<Record<ColumnKey, number>>;
  codes: readonly number[];
  switches: readonly number[];
}

/** The most names that a message lists. */
const LISTED = 5;

/**
 * Finds the columns by their names.
 * @param path for messages
 * @throws Failure that names missing columns
 */
export function columnsOf(path: string, names: readonly string[]): Columns {
  const positions = new Map(names.map((name, position) => [name.trim().toLowerCase(), position]));
  const missing: string[] = [];
  const positionOf = (name: string): number => {
    const position = positions.get(name.toLowerCase());
    if (position === undefined) missing.push(name);
    return position ?? 0;
  };
  const slots = Array.from({ length: TAXONOMIES }, (_, index) => index + 1);
  const of = {
    npi: positionOf(COLUMN.npi),
    entityType: positionOf(COLUMN.entityType),
    lastName: positionOf(COLUMN.lastName),
    firstName: positionOf(COLUMN.firstName),
    middleName: positionOf(COLUMN.middleName),
    suffix: positionOf(COLUMN.suffix),
    credential: positionOf(COLUMN.credential),
    otherLastName: positionOf(COLUMN.otherLastName),
    otherLastNameType: positionOf(COLUMN.otherLastNameType),
    city: positionOf(COLUMN.city),
    state: positionOf(COLUMN.state),
    postalCode: positionOf(COLUMN.postalCode),
    country: positionOf(COLUMN.country),
    enumeratedOn: positionOf(COLUMN.enumeratedOn),
    lastUpdatedOn: positionOf(COLUMN.lastUpdatedOn),
    deactivatedOn: positionOf(COLUMN.deactivatedOn),
    reactivatedOn: positionOf(COLUMN.reactivatedOn),
  };
  const codes = slots.map((slot) => positionOf(codeColumn(slot)));
  const switches = slots.map((slot) => positionOf(switchColumn(slot)));
  if (missing.length > 0) {
    const more = missing.length > LISTED ? ` and ${missing.length - LISTED} more` : '';
    throw new Failure(
      `${path} is not a dissemination file of NPPES: its first line does not name the columns ${missing
        .slice(0, LISTED)
        .map((name) => `"${name}"`)
        .join(', ')}${more}`,
      'specify npidata_pfile_….csv with its header, or the zip file that contains it',
    );
  }
  return { count: names.length, header: versionOf(positions), of, codes, switches };
}

/** V1 and V2 differ in one column, which is not read: V2 renamed Gender to Sex. */
function versionOf(positions: ReadonlyMap<string, number>): Columns['header'] {
  if (positions.has('provider sex code')) return 'V2';
  return positions.has('provider gender code') ? 'V1' : 'other';
}
