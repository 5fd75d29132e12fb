import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { PART_ENTRIES, SMALL_LIST } from '../../../../../db/staffing/registry/schema.ts';
import { partsWith } from '../../../../../src/staffing/registry/amend/dead-entries.ts';
import { partsOf } from '../../../../../src/staffing/registry/build/postings.ts';

const ENTRIES = 3 * PART_ENTRIES - 7;

/** Sets of ordinals of each size that has a form of its own: few, more than a small list, and dense parts. */
const ordinals = fc
  .record({
    count: fc.constantFrom(0, 3, SMALL_LIST - 1, SMALL_LIST, SMALL_LIST + 1, 6000, 30_000),
    step: fc.constantFrom(1, 2, 5, 31),
    from: fc.nat(ENTRIES - 1),
  })
  .map(({ count, step, from }) =>
    Uint32Array.from(
      new Set(Array.from({ length: count }, (_, index) => (from + index * step) % ENTRIES)),
    ).sort(),
  );

function stored(list: Uint32Array): Map<number, Uint8Array> {
  return new Map([...partsOf(list, ENTRIES)].map(({ part, data }) => [part, data]));
}

test('entries that are added to the stored dead ones give the list that would have been written of all', () => {
  fc.assert(
    fc.property(
      fc.array(ordinals, { minLength: 2, maxLength: 4 }),
      ([first = new Uint32Array(0), ...more]) => {
        const parts = stored(first);
        const all = new Set(first);
        for (const added of more) {
          for (const { part, data } of partsWith((part) => parts.get(part) ?? null, added, ENTRIES)) {
            parts.set(part, data);
          }
          for (const ordinal of added) all.add(ordinal);
        }
        const wanted = stored(Uint32Array.from(all).sort());
        if (first.length > 0 || all.size > 0)
          expect(new Map([...parts].sort())).toEqual(new Map([...wanted].sort()));
      },
    ),
    { numRuns: 60 },
  );
});
