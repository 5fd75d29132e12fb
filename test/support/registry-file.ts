import type { Database } from 'bun:sqlite';
import { placeOf, segmentAndOrdinal } from '../../db/staffing/registry/schema.ts';

/**
 * Reads the tables of a registry file plainly, by the description of the format and not by the code that
 * searches it.
 */

export interface EntryRow {
  name_key: string;
  first_key: string;
  npi: number;
  record: string;
}

/** Returns the entries of a segment by ordinal. */
export function entriesOf(database: Database, segment: number): EntryRow[] {
  const rows = database
    .query<EntryRow & { place: number }, [number, number]>(
      `SELECT place, name_key, first_key, npi, head || text || tail AS record FROM entry LEFT JOIN codes USING (codes)
        WHERE place >= ? AND place < ? ORDER BY place`,
    )
    .all(placeOf(segment, 0), placeOf(segment + 1, 0));
  return rows.map(({ place, ...entry }, index) => {
    if (segmentAndOrdinal(place).ordinal !== index) throw new Error(`the ordinals have a gap at ${index}`);
    return entry;
  });
}

/** Returns the lists of a segment by label, as stored: `later` as its numbers, all others as ordinals. */
export function postingsOf(database: Database, segment: number): Map<string, number[]> {
  const rows = database
    .query<{ list: number; part: number; label: string; data: Uint8Array }, [number, number]>(
      `SELECT (place >> 9) & 0x7fffff AS list, place & 0x1ff AS part, label, data FROM posting
        LEFT JOIN list ON list.list = (place >> 9) & 0x7fffff WHERE place >= ? AND place < ? ORDER BY place`,
    )
    .all(placeOf(segment, 0), placeOf(segment + 1, 0));
  const lists = new Map<string, number[]>();
  const lengths = new Map<string, number[]>();
  for (const { part, label, data } of rows) {
    const words = (bits: 16 | 32): number[] =>
      Array.from({ length: (data.length * 8) / bits }, (_, index) => {
        const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
        return bits === 16 ? view.getUint16(index * 2, true) : view.getUint32(index * 4, true);
      });
    if (part === 0) {
      const [length = 0, ...rest] = words(32);
      lists.set(label, label === 'later' || length <= 2048 ? rest : []);
      if (label !== 'later') lengths.set(label, length > 2048 ? rest : []);
      continue;
    }
    const count = lengths.get(label)?.[part - 1] ?? 0;
    const base = (part - 1) * 65_536;
    const own = count <= 4095 ? words(16).map((one) => base + one) : bitsOf(data, base);
    if (own.length !== count) throw new Error(`part ${part} of ${label} has ${own.length}, not ${count}`);
    lists.get(label)?.push(...own);
  }
  return lists;
}

function bitsOf(data: Uint8Array, base: number): number[] {
  const set: number[] = [];
  for (const [index, byte] of data.entries()) {
    for (let bit = 0; bit < 8; bit++) if ((byte & (1 << bit)) !== 0) set.push(base + index * 8 + bit);
  }
  return set;
}
