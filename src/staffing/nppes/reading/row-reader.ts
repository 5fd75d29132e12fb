import type { ClinicianRecord } from '../../registry/record.ts';
import { isNpi } from '../../registry/vocabulary/npi.ts';
import { stateOf } from '../../registry/vocabulary/states.ts';
import { isCodeShaped } from '../../registry/vocabulary/taxonomy.ts';
import type { LostField, NppesRow } from '../rows.ts';
import { COLUMN, type ColumnKey, type Columns, codeColumn, switchColumn } from './columns.ts';
import { DayCache, dayOf } from './days.ts';
import type { RowScanner } from './row-scanner.ts';

/** The maximum length of a text, as in the registry. NPPES allows at most 70 characters. */
const LONGEST_TEXT = 100;
/**
 * NPPES writes `<UNAVAIL>` for a value that is not published, and tools that export tables write NULL for
 * none.
 */
const NO_VALUE: ReadonlySet<string> = new Set(['NULL', '<UNAVAIL>']);
/**
 * The types of other last names by which the registry can be searched: former name, professional name, other
 * name.
 */
const OTHER_NAMES: ReadonlySet<string> = new Set(['1', '2', '5']);
/** The territories and freely associated states also have codes of countries (ISO 3166-1). */
const TERRITORIES: ReadonlySet<string> = new Set(['AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'VI']);

const CONTROL_CHARACTER = /\p{Cc}/u;
const NOT_ASCII = /[^\0-\x7f]/;
/** Most texts are words of ASCII, for which no other check is needed. */
const CLEAN = /^[!-~]{1,30}(?: [!-~]{1,30}){0,2}$/;
/** Whitespace other than single spaces between characters. */
const UNEVEN = /^\s|\s$|[^\S ]|\s\s/;

/** The problem of a field that cannot be read. */
class BadField extends Error {
  constructor(
    readonly field: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/**
 * Returns a function that makes a row of the fields that a scanner has found last. It makes strings only of
 * the columns that the registry needs. A row is bad if a field cannot be read that says who it is and whether
 * it is an active individual: the NPI, the entity type, the surname, the days of deactivation and
 * reactivation. Any other field that cannot be read is null.
 *
 * @param isKept whether a clinician with these codes is kept
 * @param onLost is called with the unreadable fields of rows that are not bad
 */
export function rowReader(
  scanner: RowScanner,
  columns: Columns,
  isKept: (codes: readonly string[]) => boolean,
  onLost: (field: LostField) => void,
): () => NppesRow {
  const { of } = columns;
  const { starts, ends } = scanner;
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const days = new DayCache();
  let unreadable: BadField[] = [];

  const textAt = (position: number, name: string): string => {
    const start = starts[position] ?? 0;
    const end = ends[position] ?? 0;
    if (start === end) return '';
    // A character has up to four bytes, and a quote is doubled.
    if (end - start > LONGEST_TEXT * 4) throw tooLong(name);
    const plain = scanner.latin1.slice(start, end);
    const text = scanner.isAscii || !NOT_ASCII.test(plain) ? plain : decoded(start, end, name);
    return text.includes('"') ? text.replaceAll('""', '"') : text;
  };

  const decoded = (start: number, end: number, name: string): string => {
    try {
      return utf8.decode(scanner.bytes.subarray(start, end));
    } catch {
      throw new BadField(name, 'is not UTF-8');
    }
  };

  const cleanAt = (position: number, name: string): string => {
    const text = textAt(position, name);
    if (text === '' || CLEAN.test(text)) return text;
    const clean = UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
    if (clean.length > LONGEST_TEXT) throw tooLong(name);
    if (CONTROL_CHARACTER.test(clean)) throw new BadField(name, 'contains a control character');
    return clean;
  };

  const valueIn = (key: ColumnKey): string | null => {
    const position = of[key];
    if (starts[position] === ends[position]) return null;
    const text = cleanAt(position, COLUMN[key]);
    return text === '' || NO_VALUE.has(text) ? null : text;
  };

  /** Reads a field that a clinician may lack; null, and noted, if it cannot be read. */
  const optional = <Value>(read: (key: ColumnKey) => Value, key: ColumnKey): Value | null => {
    try {
      return read(key);
    } catch (error) {
      return lose(error);
    }
  };

  const lose = (error: unknown): null => {
    if (!(error instanceof BadField)) throw error;
    unreadable.push(error);
    return null;
  };

  const dayIn = (key: ColumnKey): string | null => {
    const position = of[key];
    const start = starts[position] ?? 0;
    const end = ends[position] ?? 0;
    if (start === end) return null;
    const known = days.at(scanner.bytes, start, end);
    if (known !== null) return known;
    const text = valueIn(key);
    if (text === null) return null;
    const day = dayOf(text);
    if (day === null) throw new BadField(COLUMN[key], 'is not a day (MM/DD/YYYY)');
    return day;
  };

  const npiAtRow = (): number => {
    const text = valueIn('npi');
    if (text === null) throw new BadField(COLUMN.npi, 'is missing');
    if (!isNpi(text)) throw new BadField(COLUMN.npi, 'is not an NPI: ten digits with a valid check digit');
    return Number(text);
  };

  const codeAt = (position: number, name: string): string | null => {
    try {
      const code = cleanAt(position, name).toUpperCase();
      if (isCodeShaped(code)) return code;
      return code === '' || NO_VALUE.has(code) ? null : lose(new BadField(name, 'is not a taxonomy code'));
    } catch (error) {
      return lose(error);
    }
  };

  const isPrimaryAt = (position: number, name: string): boolean => {
    try {
      return cleanAt(position, name).toUpperCase() === 'Y';
    } catch (error) {
      return lose(error) !== null;
    }
  };

  /**
   * The codes without duplicates, the primary one first: the first with the switch Y, otherwise the first.
   */
  const codesOf = (): string[] => {
    const codes: string[] = [];
    let primary = -1;
    for (let slot = 0; slot < columns.codes.length; slot++) {
      const position = columns.codes[slot] ?? 0;
      if (starts[position] === ends[position]) continue;
      const code = codeAt(position, codeColumn(slot + 1));
      if (code === null) continue;
      const known = codes.indexOf(code);
      const place = known === -1 ? codes.push(code) - 1 : known;
      if (primary !== -1) continue;
      if (isPrimaryAt(columns.switches[slot] ?? 0, switchColumn(slot + 1))) primary = place;
    }
    if (primary > 0) codes.unshift(...codes.splice(primary, 1));
    return codes;
  };

  /** The surname. Null is a surname too, which only a row without a first name cannot mean. */
  const lastNameOf = (firstName: string | null): string => {
    const text = cleanAt(of.lastName, COLUMN.lastName);
    if (text === '' || text === '<UNAVAIL>' || (text === 'NULL' && firstName === null)) {
      throw new BadField(COLUMN.lastName, 'is missing');
    }
    return text;
  };

  const formerNamesOf = (lastName: string): string[] => {
    const name = optional(valueIn, 'otherLastName');
    if (name === null || name === lastName) return [];
    return OTHER_NAMES.has(optional(valueIn, 'otherLastNameType') ?? '') ? [name] : [];
  };

  const stateIn = (territory: string | null): string | null => {
    const text = optional(valueIn, 'state');
    if (text === null) return territory;
    return stateOf(text) ?? territory ?? lose(new BadField(COLUMN.state, 'is not a state'));
  };

  const zipIn = (): string | null => {
    const text = optional(valueIn, 'postalCode');
    if (text === null) return null;
    return fiveDigits(text) ?? lose(new BadField(COLUMN.postalCode, 'does not begin with a ZIP'));
  };

  const countryIn = (key: ColumnKey): string => valueIn(key)?.toUpperCase() ?? 'US';

  const clinicianOf = (npi: number, reactivatedOn: string | null): NppesRow => {
    const codes = codesOf();
    if (!isKept(codes)) return { kind: 'left_out', npi, reason: 'grouping' };
    const firstName = optional(valueIn, 'firstName');
    const lastName = lastNameOf(firstName);
    // Of a country that cannot be read, neither the state nor the ZIP is known.
    const country = optional(countryIn, 'country');
    const territory = country !== null && TERRITORIES.has(country) ? country : null;
    const isAmerican = country === 'US' || territory !== null;
    const record: ClinicianRecord = {
      npi,
      lastName,
      formerNames: formerNamesOf(lastName),
      firstName,
      middleName: optional(valueIn, 'middleName'),
      suffix: optional(valueIn, 'suffix'),
      credential: optional(valueIn, 'credential'),
      codes,
      city: optional(valueIn, 'city'),
      // WA is Washington, and Western Australia.
      state: isAmerican ? stateIn(territory) : null,
      postalCode: isAmerican ? zipIn() : null,
      enumeratedOn: optional(dayIn, 'enumeratedOn'),
      lastUpdatedOn: optional(dayIn, 'lastUpdatedOn'),
    };
    return { kind: 'clinician', record, ...(reactivatedOn === null ? {} : { reactivatedOn }) };
  };

  const rowOf = (npi: number): NppesRow => {
    const type = valueIn('entityType');
    const deactivatedOn = dayIn('deactivatedOn');
    const reactivatedOn = dayIn('reactivatedOn');
    if (deactivatedOn !== null && reactivatedOn === null) return { kind: 'removed', npi, deactivatedOn };
    if (type === '1') return clinicianOf(npi, reactivatedOn);
    if (type === '2') return { kind: 'left_out', npi, reason: 'organization' };
    const reason = type === null ? 'is missing, and so is a day of deactivation' : 'is neither 1 nor 2';
    throw new BadField(COLUMN.entityType, reason);
  };

  return () => {
    let npi: number | null = null;
    if (unreadable.length > 0) unreadable = [];
    try {
      npi = npiAtRow();
      const row = rowOf(npi);
      for (const { field, reason } of unreadable) onLost({ line: scanner.line, npi, field, reason });
      return row;
    } catch (error) {
      if (!(error instanceof BadField)) throw error;
      return { kind: 'bad', line: scanner.line, npi, field: error.field, reason: error.reason };
    }
  };
}

function tooLong(name: string): BadField {
  return new BadField(name, `is longer than ${LONGEST_TEXT} characters`);
}

/** Returns the ZIP of a postal code; null for none. No place has the ZIP 00000. */
function fiveDigits(postalCode: string): string | null {
  const zip = /^[0-9]{5}/.exec(postalCode)?.[0] ?? null;
  return zip === '00000' ? null : zip;
}
