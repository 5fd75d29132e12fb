import {
  PART_ENTRIES,
  postingPlace,
  SMALL_LIST,
  SPARSE_PART,
} from '../../../../db/staffing/registry/schema.ts';
import { RowMemory } from '../../../platform/memory/row-memory.ts';
import type { Connection } from '../../../platform/store/connection.ts';

/** About as many ordinals take the memory of a row. */
const ORDINALS_OF_ROW = 16;

/**
 * Writes the lists of a segment; see `posting` in the schema. Lists must be written in ascending order for a
 * compact file.
 */
export class PostingWriter {
  private readonly insert;
  private readonly memory = new RowMemory();

  /** @param entries the number of entries of the segment */
  constructor(
    { sqlite }: Connection,
    private readonly segment: number,
    private readonly entries: number,
  ) {
    // See `writeEntries`.
    this.insert = sqlite.prepare('INSERT OR REPLACE INTO posting VALUES (?, ?)');
  }

  /** Writes a list. `ordinals`: ascending and without duplicates. */
  write(list: number, ordinals: Uint32Array): void {
    const { segment, entries } = this;
    for (const { part, data } of partsOf(ordinals, entries)) {
      this.insert.run(postingPlace(segment, list, part), data);
    }
    this.memory.used(Math.ceil(ordinals.length / ORDINALS_OF_ROW));
  }

  /** Writes numbers as they are into part 0 of a list. */
  writeNumbers(list: number, numbers: Uint32Array): void {
    this.insert.run(postingPlace(this.segment, list, 0), bytesOf(numbers));
  }

  close(): void {
    this.insert.finalize();
  }
}

/** Yields the parts of a list as stored. `entries`: the number of entries of the segment. */
export function* partsOf(
  ordinals: Uint32Array,
  entries: number,
): Generator<{ part: number; data: Uint8Array }> {
  if (ordinals.length <= SMALL_LIST) {
    const head = new Uint32Array(ordinals.length + 1);
    head[0] = ordinals.length;
    head.set(ordinals, 1);
    yield { part: 0, data: bytesOf(head) };
    return;
  }
  const parts = Math.ceil(entries / PART_ENTRIES);
  const head = new Uint32Array(parts + 1);
  head[0] = ordinals.length;
  const later: { part: number; data: Uint8Array }[] = [];
  let from = 0;
  for (let part = 0; part < parts; part++) {
    let to = from;
    const end = (part + 1) * PART_ENTRIES;
    while (to < ordinals.length && (ordinals[to] ?? 0) < end) to++;
    head[part + 1] = to - from;
    if (to > from) later.push({ part: part + 1, data: containerOf(ordinals.subarray(from, to)) });
    from = to;
  }
  yield { part: 0, data: bytesOf(head) };
  yield* later;
}

function containerOf(ordinals: Uint32Array): Uint8Array {
  if (ordinals.length <= SPARSE_PART) {
    const sparse = new Uint16Array(ordinals.length);
    for (let index = 0; index < ordinals.length; index++)
      sparse[index] = (ordinals[index] ?? 0) % PART_ENTRIES;
    return new Uint8Array(sparse.buffer);
  }
  const bits = new Uint8Array(PART_ENTRIES / 8);
  for (const ordinal of ordinals) {
    const bit = ordinal % PART_ENTRIES;
    bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return bits;
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/**
 * Lists of entries by an attribute that each entry has once, such as its city. Attributes are numbers;
 * several can belong to one list, and one to several lists.
 */
export interface Family {
  /** Returns the attribute of the entry with an ordinal; a number without lists for none. */
  attributeOf(ordinal: number): number;
  /** The lists of each attribute. */
  lists: readonly (readonly number[])[];
}

/** Writes the lists of a family by counting sort: two passes over the entries. */
export function writeFamily(writer: PostingWriter, entries: number, { attributeOf, lists }: Family): void {
  const numbers = [...new Set(lists.flat())].sort((left, right) => left - right);
  const slotOf = new Map(numbers.map((list, slot) => [list, slot]));
  const slots = lists.map((some) => some.map((list) => slotOf.get(list) ?? 0));
  const uses = new Uint32Array(lists.length);
  for (let ordinal = 0; ordinal < entries; ordinal++) {
    const attribute = attributeOf(ordinal);
    if (attribute < uses.length) uses[attribute] = (uses[attribute] ?? 0) + 1;
  }
  const starts = new Float64Array(numbers.length + 1);
  for (const [attribute, attributeSlots] of slots.entries()) {
    for (const slot of attributeSlots) starts[slot + 1] = (starts[slot + 1] ?? 0) + (uses[attribute] ?? 0);
  }
  for (let slot = 0; slot < numbers.length; slot++)
    starts[slot + 1] = (starts[slot + 1] ?? 0) + (starts[slot] ?? 0);
  const filled = new Uint32Array(starts[numbers.length] ?? 0);
  const next = starts.slice();
  for (let ordinal = 0; ordinal < entries; ordinal++) {
    const attributeSlots = slots[attributeOf(ordinal)];
    if (attributeSlots === undefined) continue;
    for (const slot of attributeSlots) {
      const place = next[slot] ?? 0;
      filled[place] = ordinal;
      next[slot] = place + 1;
    }
  }
  for (const [slot, list] of numbers.entries()) {
    const ordinals = filled.subarray(starts[slot], starts[slot + 1]);
    if (ordinals.length > 0) writer.write(list, ordinals);
  }
}
