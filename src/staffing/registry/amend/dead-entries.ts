import {
  LIST,
  PART_ENTRIES,
  postingPlace,
  SMALL_LIST,
  SPARSE_PART,
} from '../../../../db/staffing/registry/schema.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { partsOf } from '../build/postings.ts';
import type { Numbers } from '../build/segments.ts';
import { entriesIn, partAt, putPart } from './store.ts';

/**
 * Collects entries that are no longer valid, and adds them to the lists of dead entries of their segments.
 */
export class DeadEntries {
  private readonly added = new Map<number, Set<number>>();

  constructor(
    private readonly connection: Connection,
    private readonly numbers: Pick<Numbers, 'list'>,
  ) {}

  add(segment: number, ordinal: number): void {
    const known = this.added.get(segment);
    if (known === undefined) this.added.set(segment, new Set([ordinal]));
    else known.add(ordinal);
  }

  /** Drops the collected entries of a segment that is deleted. */
  forget(segment: number): void {
    this.added.delete(segment);
  }

  /** Writes the lists. Parts that stay the same are not written, to keep the log small. */
  write(): void {
    const list = this.numbers.list(LIST.dead);
    const { connection } = this;
    for (const [segment, ordinals] of this.added) {
      const added = Uint32Array.from(ordinals).sort();
      const read = (part: number) => partAt.on(connection, postingPlace(segment, list, part));
      const entries = entriesIn.on(connection, segment) ?? 0;
      for (const { part, data } of partsWith(read, added, entries)) {
        putPart.on(connection, { place: postingPlace(segment, list, part), data });
      }
    }
  }
}

type ReadPart = (part: number) => Uint8Array | null;

/** Returns the parts of a stored list that change when ordinals are added; see `posting` in the schema. */
export function partsWith(
  read: ReadPart,
  added: Uint32Array,
  entries: number,
): Iterable<{ part: number; data: Uint8Array }> {
  const data = read(0);
  const head = data === null ? new Uint32Array(1) : wordsOf(data);
  const count = head[0] ?? 0;
  if (count <= SMALL_LIST) return partsOf(union(head.subarray(1, 1 + count), added), entries);
  return partsOfLarge(read, head.slice(), added);
}

function* partsOfLarge(read: ReadPart, head: Uint32Array, added: Uint32Array) {
  for (let from = 0; from < added.length; ) {
    const part = Math.floor((added[from] ?? 0) / PART_ENTRIES);
    const bits = bitmapOf(read(part + 1));
    let fresh = 0;
    for (; from < added.length && Math.floor((added[from] ?? 0) / PART_ENTRIES) === part; from++) {
      const bit = (added[from] ?? 0) % PART_ENTRIES;
      const byte = bits[bit >> 3] ?? 0;
      if ((byte & (1 << (bit & 7))) === 0) fresh++;
      bits[bit >> 3] = byte | (1 << (bit & 7));
    }
    if (fresh === 0) continue;
    head[0] = (head[0] ?? 0) + fresh;
    const count = (head[part + 1] ?? 0) + fresh;
    head[part + 1] = count;
    yield { part: part + 1, data: count <= SPARSE_PART ? halvesOf(bits, count) : bits };
  }
  yield { part: 0, data: new Uint8Array(head.buffer) };
}

/** Returns a part as a bitmap. */
function bitmapOf(container: Uint8Array | null): Uint8Array {
  const bits = new Uint8Array(PART_ENTRIES / 8);
  if (container === null) return bits;
  if (container.length === bits.length) return container.slice();
  for (const bit of new Uint16Array(container.buffer, container.byteOffset, container.byteLength >>> 1)) {
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return bits;
}

/** Returns a part as numbers of 16 bits. */
function halvesOf(bits: Uint8Array, count: number): Uint8Array {
  const halves = new Uint16Array(count);
  let filled = 0;
  for (const [index, byte] of bits.entries()) {
    for (let rest = byte, bit = index * 8; rest !== 0; rest >>= 1, bit++) {
      if ((rest & 1) !== 0) halves[filled++] = bit;
    }
  }
  return new Uint8Array(halves.buffer);
}

function wordsOf(data: Uint8Array): Uint32Array {
  return new Uint32Array(data.buffer, data.byteOffset, data.byteLength >>> 2);
}

function union(sorted: Uint32Array, added: Uint32Array): Uint32Array {
  return Uint32Array.from(new Set([...sorted, ...added])).sort();
}
