import type { Database, Statement } from 'bun:sqlite';
import { LOWEST_NPI, placeOf } from '../../../../db/staffing/registry/schema.ts';

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

/** The column of each member of FoundRow. */
const COLUMNS = 'name_key AS nameKey, first_key AS firstKey, npi, codes, head, tail';
const NEAR_NAMES = 64;
/** The texts of sets of codes that a connection keeps, about 5 MB. */
const MAX_CODES = 10_000;

/** Reads the rows of a registry file. */
export class RowStore {
  private readonly one: Statement<FoundRow, [number]>;
  private readonly several: Statement<FoundRow, [string]>;
  private readonly clinician: Statement<{ ordinal: number; others: string | null }, [number]>;
  private readonly allSegments: Statement<Segment, []>;
  private readonly stateOf: Statement<{ state: number }, []>;
  private readonly codes: Statement<{ text: string }, [number]>;
  private readonly near: Statement<{ name: string; clinicians: number }, [string]>;
  private readonly codesTexts = new Map<number, string>();

  constructor(sqlite: Database) {
    this.one = sqlite.prepare(`SELECT ${COLUMNS} FROM entry WHERE place = ?`);
    this.several = sqlite.prepare(
      `SELECT ${COLUMNS} FROM json_each(?) AS wanted CROSS JOIN entry ON entry.place = wanted.value`,
    );
    this.clinician = sqlite.prepare('SELECT ordinal, others FROM clinician WHERE place = ?');
    this.allSegments = sqlite.prepare('SELECT segment AS number, entries FROM segment ORDER BY segment');
    this.stateOf = sqlite.prepare('SELECT state FROM registry');
    this.codes = sqlite.prepare('SELECT text FROM codes WHERE codes = ?');
    this.near = sqlite.prepare(`
      SELECT DISTINCT name_key AS name, clinicians FROM json_each(?) AS wanted
      CROSS JOIN near_name ON near_name.spelling = wanted.value ORDER BY clinicians DESC LIMIT ${NEAR_NAMES}
    `);
  }

  segments(): Segment[] {
    return this.allSegments.all();
  }

  /** Returns the number of changes of the file. */
  state(): number {
    return this.stateOf.get()?.state ?? 0;
  }

  /** Returns entries of a segment in the given order. */
  read(segment: number, ordinals: readonly number[]): FoundRow[] {
    const [first] = ordinals;
    if (first !== undefined && ordinals.length === 1) return this.one.all(placeOf(segment, first));
    const places = ordinals.map((ordinal) => placeOf(segment, ordinal));
    return this.several.all(`[${places.join(',')}]`);
  }

  /**
   * Returns the ordinal of a clinician's whole surname in an even segment; null when it has no such
   * clinician.
   */
  ordinalOf(segment: number, npi: number): number | null {
    return this.clinician.get(placeOf(segment, npi - LOWEST_NPI))?.ordinal ?? null;
  }

  /** Returns the ordinals of all entries of clinicians in a segment, ascending. */
  ordinalsOf(segment: number, npis: readonly number[]): Uint32Array {
    const isOther = segment % 2 === 1;
    const ordinals: number[] = [];
    for (const npi of new Set(npis)) {
      const row = this.clinician.get(placeOf(segment - (segment % 2), npi - LOWEST_NPI));
      if (row === null) continue;
      if (!isOther) ordinals.push(row.ordinal);
      else for (const [, , ordinal] of othersOf(row.others)) ordinals.push(ordinal);
    }
    return Uint32Array.from(ordinals).sort();
  }

  codesText(codes: number): string {
    const known = this.codesTexts.get(codes);
    if (known !== undefined) return known;
    const text = this.codes.get(codes)?.text ?? '';
    if (this.codesTexts.size >= MAX_CODES) this.codesTexts.clear();
    this.codesTexts.set(codes, text);
    return text;
  }

  nearNames(spellings: readonly string[]): { name: string; clinicians: number }[] {
    return this.near.all(JSON.stringify(spellings));
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
