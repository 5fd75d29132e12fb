import { PART_ENTRIES, postingPlace, SMALL_LIST } from '../../../../db/staffing/registry/schema.ts';
import { list as listTable, posting } from '../../../../db/staffing/registry/tables.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { type Container, lowerBound } from './containers.ts';

/** The bytes of lists that a connection keeps in memory. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** The labels whose numbers a connection keeps. */
const MAX_LABELS = 20_000;
/** The most parts that are read ahead in one statement: half a megabyte. */
const READ_AHEAD = 64;
const NONE = new Uint16Array(0);

const sql = sqlOf({ list: listTable, posting });

const listWith = sql.value(listTable.list)`WHERE label = ${'label'}`;
const postingAt = sql.value(posting.data)`WHERE place = ${'place'}`;
/** In the order of places, because `place` is the key of the table. */
const postingsBetween = sql.values(posting.data)`WHERE place BETWEEN ${'first:place'} AND ${'last:place'}`;

/** A list in a segment. Its parts are read when they are needed. */
export interface ListIn {
  /** The number of its entries. */
  readonly length: number;
  /** All its ordinals, ascending; null for a long list, which has parts. */
  readonly ordinals: Uint32Array | null;
  /** Returns how many entries a part has. */
  countIn(part: number): number;
  container(part: number): Container;
  /** Reads the parts from `first` to `last` at once, for a caller that will need all of them. */
  readAhead(first: number, last: number): void;
}

/**
 * Reads the lists of a registry file. Lists of segments never change, but for those that are read with
 * `freshList`.
 */
export class ListStore {
  private readonly labels = new Map<string, number | null>();
  /** Lists by the place of their part 0; the one that was not used for the longest time comes first. */
  private readonly kept = new Map<number, LongList | SmallList>();
  private keptBytes = 0;

  constructor(private readonly connection: Connection) {}

  /**
   * Returns the number of a list; null when no clinician ever had its label. A label that is new in the file
   * is found at once.
   */
  numberOf(label: string): number | null {
    const known = this.labels.get(label);
    if (known !== undefined) return known;
    const list = listWith.on(this.connection, label);
    if (list === null) return null;
    if (this.labels.size >= MAX_LABELS) this.labels.clear();
    this.labels.set(label, list);
    return list;
  }

  /** Returns a list of a segment; null for an empty one. */
  list(segment: number, list: number): ListIn | null {
    const place = postingPlace(segment, list, 0);
    const known = this.kept.get(place);
    if (known !== undefined) {
      this.kept.delete(place);
      this.kept.set(place, known);
      return known;
    }
    const read = this.read(place, (bytes) => this.grown(place, read, bytes));
    if (read === null) return null;
    this.kept.set(place, read);
    this.grown(place, read, read.headBytes);
    return read;
  }

  /** Returns a list that can change while its segment stays, without the cache. */
  freshList(segment: number, list: number): ListIn | null {
    return this.read(postingPlace(segment, list, 0), () => undefined);
  }

  /** Returns the numbers of a list whose part 0 has numbers of its own; null for an empty one. */
  numbers(segment: number, list: number): Uint32Array | null {
    const data = postingAt.on(this.connection, postingPlace(segment, list, 0));
    return data === null ? null : wordsOf(data);
  }

  private read(place: number, grew: (bytes: number) => void): LongList | SmallList | null {
    const data = postingAt.on(this.connection, place);
    const head = data === null ? NO_HEAD : wordsOf(data);
    const length = head[0] ?? 0;
    if (length === 0) return null;
    if (length <= SMALL_LIST) return new SmallList(head.subarray(1));
    return new LongList(head, (first, last) => this.partsOf(place, first, last), grew);
  }

  private partsOf(place: number, first: number, last: number): readonly Uint8Array[] {
    return postingsBetween.on(this.connection, { first: place + 1 + first, last: place + 1 + last });
  }

  /** Counts the memory of a kept list, and forgets other lists to make room. */
  private grown(place: number, list: LongList | SmallList | null, bytes: number): void {
    if (list === null || this.kept.get(place) !== list) return;
    list.bytes += bytes;
    this.keptBytes += bytes;
    for (const [oldest, other] of this.kept) {
      if (this.keptBytes <= CACHE_BYTES || other === list) break;
      this.kept.delete(oldest);
      this.keptBytes -= other.bytes;
    }
  }
}

const NO_HEAD = new Uint32Array(0);

/** A list with its ordinals. */
class SmallList implements ListIn {
  bytes = 0;
  readonly headBytes: number;
  readonly length: number;

  constructor(readonly ordinals: Uint32Array) {
    this.length = ordinals.length;
    this.headBytes = ordinals.byteLength;
  }

  countIn(part: number): number {
    return this.range(part).length;
  }

  container(part: number): Container {
    return Uint16Array.from(this.range(part), (ordinal) => ordinal % PART_ENTRIES);
  }

  readAhead(): void {
    // It has been read as a whole.
  }

  private range(part: number): Uint32Array {
    const { ordinals } = this;
    const first = lowerBound(ordinals, part * PART_ENTRIES);
    return ordinals.subarray(first, lowerBound(ordinals, (part + 1) * PART_ENTRIES, first));
  }
}

/** Returns a list of the given ordinals, ascending. */
export function smallList(ordinals: Uint32Array): ListIn {
  return new SmallList(ordinals);
}

/** A list with parts. */
class LongList implements ListIn {
  bytes = 0;
  readonly headBytes: number;
  readonly ordinals = null;
  readonly length: number;
  private readonly parts: (Container | undefined)[];
  /** How many parts the next statement reads: a search that goes on needs the following ones too. */
  private ahead = 1;

  /** @param head the length, and the number of entries of each part */
  constructor(
    private readonly head: Uint32Array,
    private readonly read: (first: number, last: number) => readonly Uint8Array[],
    private readonly grew: (bytes: number) => void,
  ) {
    this.length = head[0] ?? 0;
    this.headBytes = head.byteLength;
    this.parts = new Array(head.length - 1).fill(undefined);
  }

  countIn(part: number): number {
    return this.head[part + 1] ?? 0;
  }

  container(part: number): Container {
    const known = this.parts[part];
    if (known !== undefined) return known;
    if (this.countIn(part) === 0) return NONE;
    this.readAhead(part, part + this.ahead - 1);
    this.ahead = Math.min(this.ahead * 2, READ_AHEAD);
    return this.parts[part] ?? NONE;
  }

  readAhead(first: number, last: number): void {
    const { parts } = this;
    let start = first;
    let end = Math.min(last, parts.length - 1);
    while (start <= end && this.isRead(start)) start++;
    while (start <= end && this.isRead(end)) end--;
    if (start > end) return;
    let bytes = 0;
    let part = start;
    // The rows are in order, and a part without entries has none.
    for (const data of this.read(start, end)) {
      while (part <= end && this.countIn(part) === 0) part++;
      if (parts[part] === undefined) {
        parts[part] = data.length === PART_ENTRIES / 8 ? wordsOf(data) : halvesOf(data);
        bytes += data.length;
      }
      part++;
    }
    this.grew(bytes);
  }

  private isRead(part: number): boolean {
    return this.parts[part] !== undefined || this.countIn(part) === 0;
  }
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}

function halvesOf(bytes: Uint8Array): Uint16Array {
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 1);
}
