import { placeOf } from '../../../../db/staffing/registry/schema.ts';
import { entry, fence } from '../../../../db/staffing/registry/tables.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { sqlOf } from '../../../platform/store/sql.ts';

/** A position in the order of entries. */
export interface PagePosition {
  nameKey: string;
  firstKey: string;
  npi: number;
}

/** The names whose ordinals a connection keeps, about 4 MB. */
const MAX_NAMES = 30_000;

const sql = sqlOf({ entry, fence });

/** The place of the first entry of a segment after a position. */
const placeAfter = sql.value(entry.place)`
  WHERE place >= ${'start:place'} + ifnull((
      SELECT ordinal FROM fence
      WHERE segment = ${'segment'} AND (name_key, first_key, npi) <= (${'nameKey'}, ${'firstKey'}, ${'npi'})
      ORDER BY name_key DESC, first_key DESC, npi DESC LIMIT 1
    ), 0)
    AND place < ${'end:place'} AND (name_key, first_key, npi) > (${'nameKey'}, ${'firstKey'}, ${'npi'})
  ORDER BY place LIMIT 1`;

/** Finds ordinals of positions. */
export class OrdinalStore {
  /** The first ordinals of names, by segment and name, in one state of the file. */
  private readonly starts = new Map<string, number>();

  constructor(private readonly connection: Connection) {}

  /**
   * Returns the ordinal of the first entry of a segment after a position; the number of entries when there is
   * none.
   */
  firstAfter(segment: number, entries: number, { nameKey, firstKey, npi }: PagePosition): number {
    const start = placeOf(segment, 0);
    const end = start + entries;
    const place = placeAfter.on(this.connection, { start, end, segment, nameKey, firstKey, npi });
    return place === null ? entries : place - start;
  }

  /**
   * Returns the ordinal of the first entry of a segment with at least this name; the number of entries when
   * there is none.
   */
  startOf(segment: number, entries: number, name: string): number {
    const key = `${segment} ${name}`;
    const known = this.starts.get(key);
    if (known !== undefined) return known;
    const start = this.firstAfter(segment, entries, { nameKey: name, firstKey: '', npi: 0 });
    if (this.starts.size >= MAX_NAMES) this.starts.clear();
    this.starts.set(key, start);
    return start;
  }

  /**
   * Drops what belongs to another state of the file: an entry that was erased has taken the position of the
   * one before it.
   */
  forget(): void {
    this.starts.clear();
  }
}
