import type { Database } from 'bun:sqlite';
import { LIST, PART_ENTRIES, postingPlace, SMALL_LIST } from '../../../../db/staffing/registry/schema.ts';
import { partsOf } from '../build/postings.ts';
import type { Numbers } from '../build/segments.ts';

/** Collects entries that are no longer valid, and adds them to the lists of dead entries of their segments. */
export class DeadEntries {
  private readonly added = new Map<number, Set<number>>();

  constructor(
    private readonly database: Database,
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
    const select = this.database.query<{ data: Uint8Array }, [number]>(
      'SELECT data FROM posting WHERE place = ?',
    );
    const insert = this.database.query('INSERT OR REPLACE INTO posting VALUES (?, ?)');
    const entriesOf = this.database.query<{ entries: number }, [number]>(
      'SELECT entries FROM segment WHERE segment = ?',
    );
    for (const [segment, added] of this.added) {
      const read = (part: number) => select.get(postingPlace(segment, list, part))?.data ?? null;
      const ordinals = union(ordinalsOf(read), added);
      for (const { part, data } of partsOf(ordinals, entriesOf.get(segment)?.entries ?? 0)) {
        const stored = read(part);
        if (stored === null || Buffer.compare(stored, data) !== 0) {
          insert.run(postingPlace(segment, list, part), data);
        }
      }
    }
  }
}

/** Returns the sorted ordinals of a stored list; see `posting` in the schema. */
export function ordinalsOf(read: (part: number) => Uint8Array | null): Uint32Array {
  const data = read(0);
  if (data === null) return new Uint32Array(0);
  const head = new Uint32Array(data.buffer, data.byteOffset, data.byteLength >>> 2);
  const count = head[0] ?? 0;
  if (count <= SMALL_LIST) return head.slice(1, 1 + count);
  const ordinals = new Uint32Array(count);
  let filled = 0;
  for (let part = 0; part + 1 < head.length; part++) {
    const container = head[part + 1] === 0 ? null : read(part + 1);
    if (container === null) continue;
    for (const ordinal of inContainer(container)) ordinals[filled++] = part * PART_ENTRIES + ordinal;
  }
  return ordinals.subarray(0, filled);
}

function* inContainer(container: Uint8Array): Generator<number> {
  if (container.length < PART_ENTRIES / 8) {
    yield* new Uint16Array(container.buffer, container.byteOffset, container.byteLength >>> 1);
    return;
  }
  for (let bit = 0; bit < PART_ENTRIES; bit++) {
    if (((container[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0) yield bit;
  }
}

function union(sorted: Uint32Array, added: ReadonlySet<number>): Uint32Array {
  const all = new Set(sorted);
  for (const ordinal of added) all.add(ordinal);
  if (all.size === sorted.length) return sorted;
  return Uint32Array.from(all).sort();
}
