import { ownCopyOf } from '../../platform/memory/own-copy.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { isNpi } from './vocabulary/npi.ts';

/**
 * A clinician to add to a registry. Other members of the object are not written. Former names are only search
 * keys.
 */
export interface ClinicianRecord {
  npi: number;
  lastName: string;
  formerNames: readonly string[];
  firstName: string | null;
  middleName: string | null;
  suffix: string | null;
  credential: string | null;
  /** Taxonomy codes, the primary one first. */
  codes: readonly string[];
  city: string | null;
  /** The state of the practice location. An unknown state becomes null. */
  state: string | null;
  /** ZIP or ZIP+4; the first five digits are stored, any other value becomes null. */
  postalCode: string | null;
  /** YYYY-MM-DD. */
  enumeratedOn: string | null;
  lastUpdatedOn: string | null;
}

/** The maximum length of a text. NPPES allows at most 35 characters for a surname and 40 for a city. */
const LONGEST_TEXT = 100;

/** Records that were not written because of an invalid field. */
export interface RefusedRecords {
  count: number;
  /** The first of them, with the name of the invalid field. */
  examples: { npi: number; field: string }[];
}

const MOST_EXAMPLES = 100;

/** Returns whether a record may be written; counts a refused one. */
export function isAccepted(record: ClinicianRecord, refused: RefusedRecords): boolean {
  const field = wrongFieldOf(record);
  if (field === null) return true;
  refused.count++;
  if (refused.examples.length < MOST_EXAMPLES) refused.examples.push({ npi: record.npi, field });
  return false;
}

/** Returns the name of an invalid field; null for none. Every written record is a valid public record. */
function wrongFieldOf(record: ClinicianRecord): keyof ClinicianRecord | null {
  if (!isNpi(String(record.npi))) return 'npi';
  if (!isText(record.lastName) || record.lastName.trim() === '') return 'lastName';
  if (!record.formerNames.every(isText)) return 'formerNames';
  for (const field of ['firstName', 'middleName', 'suffix', 'credential', 'city'] as const) {
    const value = record[field];
    if (value !== null && !isText(value)) return field;
  }
  for (const field of ['enumeratedOn', 'lastUpdatedOn'] as const) {
    const value = record[field];
    if (value !== null && !isDay(value)) return field;
  }
  return null;
}

const CONTROL_CHARACTER = /\p{Cc}/u;
/** Nearly all texts are of these characters, and need no further checks. */
const PRINTABLE_ASCII = /^[ -~]*$/;

function isText(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > LONGEST_TEXT) return false;
  if (PRINTABLE_ASCII.test(value)) return true;
  return value.isWellFormed() && !CONTROL_CHARACTER.test(value);
}

/** Days that are valid: the records of millions of clinicians have some ten thousand of them. */
const knownDays = new Set<string>();
const MOST_KNOWN_DAYS = 20_000;

function isDay(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (knownDays.has(value)) return true;
  if (value.length !== 10 || parseTimestamp(`${value}T00:00:00Z`) === null) return false;
  if (knownDays.size < MOST_KNOWN_DAYS) knownDays.add(ownCopyOf(value));
  return true;
}
