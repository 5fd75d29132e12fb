import { KIND, LOWEST_NPI, placeOf } from '../../../../db/staffing/registry/schema.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import type { Columns, Entry } from '../entry.ts';
import { type OtherName, othersOf } from '../search/rows-store.ts';
import type { NameKey } from '../vocabulary/names.ts';
import { codesAt, entriesBetween, entryAt, evenSegments, versionAt } from './store.ts';

/**
 * A version of a clinician in a pair of segments. The newest one is in the last pair; the older ones are
 * dead.
 */
export interface StoredVersion {
  npi: number;
  /** The even segment of the pair. */
  even: number;
  /** The entry in the even segment. */
  ordinal: number;
  others: readonly OtherName[];
  digest: number;
}

/** A clinician as a registry file has it: what it is found by, and the texts of the public record. */
export interface StoredClinician {
  entry: Entry;
  head: string;
  codesText: string;
  tail: string;
}

type VersionRow = NonNullable<ReturnType<typeof versionAt.on>>;
type EntryRow = NonNullable<ReturnType<typeof entryAt.on>>;
type CodesRow = NonNullable<ReturnType<typeof codesAt.on>>;

const CHUNK = 4096;

/** Reads the clinicians of a registry file. */
export class StoredClinicians {
  private readonly codes = new Map<number, CodesRow>();

  constructor(private readonly connection: Connection) {}

  /** Returns the even segments, the newest first. */
  pairs(): number[] {
    return evenSegments.on(this.connection);
  }

  /** Returns the version of a clinician in a pair; null for none. */
  versionIn(even: number, npi: number): StoredVersion | null {
    const row = versionAt.on(this.connection, placeOf(even, npi - LOWEST_NPI));
    return row === null ? null : versionOf(row, even);
  }

  /** Returns the version of a clinician in the first of the given pairs that has one; null for none. */
  newestIn(pairs: readonly number[], npi: number): StoredVersion | null {
    for (const even of pairs) {
      const version = this.versionIn(even, npi);
      if (version !== null) return version;
    }
    return null;
  }

  /**
   * Yields the clinicians of a pair with their NPIs, in the order of its entries. @throws Failure for a
   * damaged row
   */
  *cliniciansOf(even: number): Generator<StoredClinician> {
    const start = placeOf(even, 0);
    const places = { first: start - LOWEST_NPI, start, end: start + placeOf(1, 0), limit: CHUNK };
    for (let from = start; ; ) {
      const rows = entriesBetween.on(this.connection, { ...places, from });
      for (const row of rows) {
        yield this.clinicianOf(row, othersOf(row.others));
        from = row.place + 1;
      }
      if (rows.length < CHUNK) return;
    }
  }

  /** Returns the clinician of a version. @throws Failure for a damaged row */
  read({ npi, even, ordinal, others }: StoredVersion): StoredClinician {
    const row = entryAt.on(this.connection, placeOf(even, ordinal));
    if (row === null || row.npi !== npi) throw damaged(npi);
    return this.clinicianOf(row, others);
  }

  private clinicianOf(row: EntryRow, others: readonly OtherName[]): StoredClinician {
    const { joined, text } = this.codesOf(row);
    const columns = columnsOf(row, joined);
    const names: NameKey[] = [{ key: row.nameKey, kind: KIND.whole }];
    for (const [key, kind] of others) {
      names.push({ key, kind: kind === KIND.firstPart ? KIND.firstPart : KIND.other });
    }
    const entry = { columns, codes: joined, state: columns[8], names, firstKey: row.firstKey };
    return { entry, head: row.head, codesText: text, tail: row.tail };
  }

  private codesOf({ npi, codes }: EntryRow): CodesRow {
    const known = this.codes.get(codes);
    if (known !== undefined) return known;
    const row = codesAt.on(this.connection, codes);
    if (row === null) throw damaged(npi);
    this.codes.set(codes, row);
    return row;
  }
}

function versionOf({ place, ordinal, others, digest }: VersionRow, even: number): StoredVersion {
  return { npi: place - placeOf(even, 0) + LOWEST_NPI, even, ordinal, others: othersOf(others), digest };
}

/** Reads the columns from the public record. */
function columnsOf({ npi, head, tail }: EntryRow, joined: string): Columns {
  const record = parse(npi, head + tail);
  const text = (name: string): string | null => {
    const value = record[name];
    if (value === null || typeof value === 'string') return value;
    throw damaged(npi);
  };
  return [
    npi,
    text('last_name') ?? '',
    text('first_name'),
    text('middle_name'),
    text('suffix'),
    text('credential'),
    joined,
    text('city'),
    text('state'),
    text('postal_code'),
    text('enumerated_on'),
    text('last_updated_on'),
  ];
}

function parse(npi: number, json: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(json) };
  } catch {
    throw damaged(npi);
  }
}

function damaged(npi: number): Failure {
  return new Failure(
    `the record of the clinician ${npi} in the registry file is damaged`,
    'import the complete file of the registry again',
  );
}
