import { LOWEST_NPI, placeOf } from '../../../../db/staffing/registry/schema.ts';
import {
  clinician,
  codes,
  entry,
  nearName,
  registry,
  segment,
} from '../../../../db/staffing/registry/tables.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

/** A segment and the number of its entries. */
export interface Segment {
  number: number;
  entries: number;
}

/** An entry: its position, and the public record in parts; see `entry` of the schema. */
export interface FoundRow {
  nameKey: string;
  firstKey: string;
  npi: number;
  codes: number;
  head: string;
  tail: string;
}

/** The texts of sets of codes that a connection keeps, about 5 MB. */
const MAX_CODES = 10_000;

const sql = sqlOf({ clinician, codes, entry, nearName, registry, segment });

/** The column of each member of FoundRow. */
const found = sql.joined({
  nameKey: entry.nameKey,
  firstKey: entry.firstKey,
  npi: entry.npi,
  codes: entry.codes,
  head: entry.head,
  tail: entry.tail,
});
const entryAt = found.rows`FROM entry WHERE place = ${'place'}`;
const entriesAt = found.rows`
  FROM json_each(${'places:list'}) AS wanted CROSS JOIN entry ON entry.place = wanted.value`;

const clinicianAt = sql.joined({ ordinal: clinician.ordinal, others: clinician.others })
  .row`FROM clinician WHERE place = ${'place'}`;
const segments = sql.joined(
  { number: segment.segment, entries: segment.entries },
  { scans: 'two rows for the base and for each of a few pairs' },
).rows`FROM segment ORDER BY segment`;
const stateOf = sql.value(registry.state)``;
const textOf = sql.value(codes.text)`WHERE codes = ${'codes'}`;

/** DISTINCT counts for the whole row. */
const near = sql.joined(
  { name: sql.text`DISTINCT name_key`, clinicians: nearName.clinicians },
  { scans: 'sorts the names of the spellings of one name' },
).rows`
  FROM json_each(${'spellings:list'}) AS wanted
  CROSS JOIN near_name ON near_name.spelling = wanted.value ORDER BY clinicians DESC LIMIT 64`;

/** Reads the rows of a registry file. */
export class RowStore {
  private readonly codesTexts = new Map<number, string>();

  constructor(private readonly connection: Connection) {}

  segments(): Segment[] {
    return segments.on(this.connection);
  }

  /** Returns the number of changes of the file. */
  state(): number {
    return stateOf.on(this.connection) ?? 0;
  }

  /** Returns entries of a segment in the given order. */
  read(number: number, ordinals: readonly number[]): FoundRow[] {
    const [first] = ordinals;
    if (first !== undefined && ordinals.length === 1) {
      return entryAt.on(this.connection, placeOf(number, first));
    }
    return entriesAt.on(
      this.connection,
      ordinals.map((ordinal) => placeOf(number, ordinal)),
    );
  }

  /**
   * Returns the ordinal of a clinician's whole surname in an even segment; null when it has no such
   * clinician.
   */
  ordinalOf(even: number, npi: number): number | null {
    return clinicianAt.on(this.connection, placeOf(even, npi - LOWEST_NPI))?.ordinal ?? null;
  }

  /** Returns the ordinals of all entries of clinicians in a segment, ascending. */
  ordinalsOf(number: number, npis: readonly number[]): Uint32Array {
    const isOther = number % 2 === 1;
    const ordinals: number[] = [];
    for (const npi of new Set(npis)) {
      const row = clinicianAt.on(this.connection, placeOf(number - (number % 2), npi - LOWEST_NPI));
      if (row === null) continue;
      if (!isOther) ordinals.push(row.ordinal);
      else for (const [, , ordinal] of othersOf(row.others)) ordinals.push(ordinal);
    }
    return Uint32Array.from(ordinals).sort();
  }

  codesText(number: number): string {
    const known = this.codesTexts.get(number);
    if (known !== undefined) return known;
    const text = textOf.on(this.connection, number) ?? '';
    if (this.codesTexts.size >= MAX_CODES) this.codesTexts.clear();
    this.codesTexts.set(number, text);
    return text;
  }

  nearNames(spellings: readonly string[]): { name: string; clinicians: number }[] {
    return near.on(this.connection, spellings);
  }
}

/** A clinician's other name: key, kind, and ordinal in the odd segment. */
export type OtherName = [key: string, kind: number, ordinal: number];

/** Parses `clinician.others`. */
export function othersOf(json: string | null): OtherName[] {
  if (json === null) return [];
  const others: unknown = JSON.parse(json);
  return Array.isArray(others) ? others.filter(isOtherName) : [];
}

function isOtherName(other: unknown): other is OtherName {
  return (
    Array.isArray(other) &&
    typeof other[0] === 'string' &&
    typeof other[1] === 'number' &&
    typeof other[2] === 'number'
  );
}
