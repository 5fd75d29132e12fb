import type { Database, Statement } from 'bun:sqlite';
import { PART_ENTRIES, placeOf, postingPlace, SMALL_LIST } from '../../../../db/staffing/registry/schema.ts';
import { type Container, lowerBound } from './containers.ts';

/** The bytes of containers that a connection keeps in memory. */
const CACHE_BYTES = 48 * 1024 * 1024;
/** The labels whose numbers a connection keeps. */
const MAX_LABELS = 20_000;
const NONE = new Uint16Array(0);

/** A list in a segment. */
export interface ListIn {
  /** The number of its entries. */
  readonly length: number;
  /** Returns how many entries a part has. */
  countIn(part: number): number;
  container(part: number): Container;
}

/** Reads the lists of a registry file. Lists of segments never change, but for those that are read with `freshList`. */
export class ListStore {
  private readonly labels = new Map<string, number | null>();
  private readonly kept = new Map<number, Uint8Array>();
  private keptBytes = 0;
  private readonly find: Statement<{ list: number }, [string]>;
  private readonly posting: Statement<{ data: Uint8Array }, [number]>;

  constructor(sqlite: Database) {
    this.find = sqlite.prepare('SELECT list FROM list WHERE label = ?');
    this.posting = sqlite.prepare('SELECT data FROM posting WHERE place = ?');
  }

  /** Returns the number of a list; null when no clinician ever had its label. A label that is new in the file is found at once. */
  numberOf(label: string): number | null {
    const known = this.labels.get(label);
    if (known !== undefined) return known;
    const list = this.find.get(label)?.list ?? null;
    if (list === null) return null;
    if (this.labels.size >= MAX_LABELS) this.labels.clear();
    this.labels.set(label, list);
    return list;
  }

  /** Returns a list of a segment; null for an empty one. */
  list(segment: number, list: number): ListIn | null {
    return this.listBy(segment, list, (place) => this.data(place));
  }

  /** Returns a list that can change while its segment stays, without the cache. */
  freshList(segment: number, list: number): ListIn | null {
    return this.listBy(segment, list, (place) => this.posting.get(place)?.data ?? null);
  }

  /** Returns the numbers of a list whose part 0 has numbers of its own; null for an empty one. */
  numbers(segment: number, list: number): Uint32Array | null {
    const data = this.posting.get(postingPlace(segment, list, 0))?.data;
    return data === undefined ? null : wordsOf(data);
  }

  private listBy(segment: number, list: number, read: (place: number) => Uint8Array | null): ListIn | null {
    const data = read(postingPlace(segment, list, 0));
    if (data === null) return null;
    const head = wordsOf(data);
    const length = head[0] ?? 0;
    if (length === 0) return null;
    if (length <= SMALL_LIST) return smallList(head.subarray(1));
    return {
      length,
      countIn: (part) => head[part + 1] ?? 0,
      container(part) {
        const container = head[part + 1] === 0 ? null : read(postingPlace(segment, list, part + 1));
        if (container === null) return NONE;
        return container.length === PART_ENTRIES / 8 ? wordsOf(container) : halvesOf(container);
      },
    };
  }

  private data(place: number): Uint8Array | null {
    const known = this.kept.get(place);
    if (known !== undefined) {
      // Moves it to the end: the first ones are those that were not used for the longest time.
      this.kept.delete(place);
      this.kept.set(place, known);
      return known;
    }
    const data = this.posting.get(place)?.data;
    if (data === undefined) return null;
    this.kept.set(place, data);
    this.keptBytes += data.length;
    for (const [oldest, bytes] of this.kept) {
      if (this.keptBytes <= CACHE_BYTES) break;
      this.kept.delete(oldest);
      this.keptBytes -= bytes.length;
    }
    return data;
  }
}

/** Returns a list of the given ordinals, ascending. */
export function smallList(ordinals: Uint32Array): ListIn {
  const rangeOf = (part: number): Uint32Array =>
    ordinals.subarray(
      lowerBound(ordinals, part * PART_ENTRIES),
      lowerBound(ordinals, (part + 1) * PART_ENTRIES),
    );
  return {
    length: ordinals.length,
    countIn: (part) => rangeOf(part).length,
    container: (part) => Uint16Array.from(rangeOf(part), (ordinal) => ordinal % PART_ENTRIES),
  };
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}

function halvesOf(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 1);
}

/** A position in the order of entries. */
export interface PagePosition {
  nameKey: string;
  firstKey: string;
  npi: number;
}

/** Finds ordinals of positions. */
export class OrdinalStore {
  private readonly after: Statement<{ place: number }, [Record<string, string | number>]>;

  constructor(sqlite: Database) {
    this.after = sqlite.prepare(`
      SELECT place FROM entry
      WHERE place >= $start + ifnull((
          SELECT ordinal FROM fence
          WHERE segment = $segment AND (name_key, first_key, npi) <= ($nameKey, $firstKey, $npi)
          ORDER BY name_key DESC, first_key DESC, npi DESC LIMIT 1
        ), 0)
        AND place < $start + $entries AND (name_key, first_key, npi) > ($nameKey, $firstKey, $npi)
      ORDER BY place LIMIT 1
    `);
  }

  /** Returns the ordinal of the first entry of a segment after a position; the number of entries when there is none. */
  firstAfter(segment: number, entries: number, { nameKey, firstKey, npi }: PagePosition): number {
    const start = placeOf(segment, 0);
    const found = this.after.get({ start, segment, entries, nameKey, firstKey, npi });
    return found === null ? entries : found.place - start;
  }
}
