import {
  PART_ENTRIES,
  postingPlace,
  SMALL_LIST,
  SPARSE_PART,
} from '../../../../db/staffing/registry/schema.ts';
import { RowMemory } from '../../../platform/memory/row-memory.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { Growing } from './growing.ts';

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
  /** The number of attributes, which are 0, 1, 2… */
  attributes: number;
  /** Returns the attribute of the entry with an ordinal. */
  attributeOf(ordinal: number): number;
  /** Returns the lists of an attribute, without duplicates. */
  listsOf(attribute: number): readonly number[];
}

/** The ordinals that are in memory at once, but those of one list: 16 MiB. */
const MOST_ORDINALS = 2 ** 22;

/**
 * Writes the lists of a family by counting sort, some lists at a time: a pass over the entries for each 4
 * million ordinals, because a clinician is in some ten lists of a family.
 * @param most the ordinals that are in memory at once
 */
export function writeFamily(
  writer: Pick<PostingWriter, 'write'>,
  entries: number,
  family: Family,
  most = MOST_ORDINALS,
): void {
  const attributes = new Uint32Array(entries);
  const uses = new Uint32Array(family.attributes);
  for (let ordinal = 0; ordinal < entries; ordinal++) {
    const attribute = family.attributeOf(ordinal);
    attributes[ordinal] = attribute;
    uses[attribute] = (uses[attribute] ?? 0) + 1;
  }
  const { starts, slots, lists } = slotsOf(family);
  const sizes = new Uint32Array(lists.length);
  for (let attribute = 0; attribute < uses.length; attribute++) {
    for (let at = starts[attribute] ?? 0; at < (starts[attribute + 1] ?? 0); at++) {
      const slot = slots[at] ?? 0;
      sizes[slot] = (sizes[slot] ?? 0) + (uses[attribute] ?? 0);
    }
  }
  for (let from = 0; from < lists.length; ) {
    let to = from;
    let size = 0;
    do size += sizes[to++] ?? 0;
    while (to < lists.length && size + (sizes[to] ?? 0) <= most);
    const filled = new Uint32Array(size);
    const next = new Uint32Array(to - from);
    for (let slot = 1; slot < next.length; slot++) {
      next[slot] = (next[slot - 1] ?? 0) + (sizes[from + slot - 1] ?? 0);
    }
    const firsts = next.slice();
    for (let ordinal = 0; ordinal < entries; ordinal++) {
      const attribute = attributes[ordinal] ?? 0;
      for (let at = starts[attribute] ?? 0; at < (starts[attribute + 1] ?? 0); at++) {
        const slot = (slots[at] ?? 0) - from;
        if (slot < 0 || slot >= next.length) continue;
        const place = next[slot] ?? 0;
        filled[place] = ordinal;
        next[slot] = place + 1;
      }
    }
    for (let slot = 0; slot < next.length; slot++) {
      const ordinals = filled.subarray(firsts[slot], next[slot]);
      if (ordinals.length > 0) writer.write(lists[from + slot] ?? 0, ordinals);
    }
    from = to;
  }
}

/** The lists of a family in ascending order, and their indexes by attribute. */
interface Slots {
  /** The index in `slots` of the first list of each attribute, and the number of all at the end. */
  starts: Uint32Array;
  /** The indexes in `lists`. */
  slots: Uint32Array;
  lists: Uint32Array;
}

function slotsOf({ attributes, listsOf }: Family): Slots {
  const memory = new RowMemory();
  const starts = new Uint32Array(attributes + 1);
  const numbers = new Growing((length) => new Uint32Array(length));
  let highest = 0;
  for (let attribute = 0; attribute < attributes; attribute++) {
    for (const list of listsOf(attribute)) {
      numbers.push(list);
      if (list > highest) highest = list;
    }
    starts[attribute + 1] = numbers.length;
    memory.used();
  }
  const isUsed = new Uint8Array(highest + 1);
  for (let at = 0; at < numbers.length; at++) isUsed[numbers.at(at)] = 1;
  const slotOf = new Uint32Array(highest + 1);
  const lists = new Growing((length) => new Uint32Array(length));
  if (numbers.length > 0) {
    for (let list = 0; list <= highest; list++) {
      slotOf[list] = lists.length;
      if (isUsed[list] === 1) lists.push(list);
    }
  }
  return {
    starts,
    slots: Uint32Array.from({ length: numbers.length }, (_, at) => slotOf[numbers.at(at)] ?? 0),
    lists: Uint32Array.from({ length: lists.length }, (_, at) => lists.at(at)),
  };
}
