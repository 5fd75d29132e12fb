import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { PART_ENTRIES } from '../../../../../db/staffing/registry/schema.ts';
import {
  type Container,
  contains,
  countCommon,
  eachCommon,
  lowerBound,
} from '../../../../../src/staffing/registry/search/containers.ts';

/** Entries and the container that has them. */
interface Kept {
  entries: Set<number>;
  container: Container;
}

const numbersOf = (entries: Iterable<number>): Uint16Array => Uint16Array.from(new Set(entries)).sort();

function bitmapOf(entries: Iterable<number>): Uint32Array {
  const words = new Uint32Array(PART_ENTRIES / 32);
  for (const entry of entries) words[entry >>> 5] = (words[entry >>> 5] ?? 0) | (1 << (entry & 31));
  return words;
}

/** A container of each form: entries near the borders of words, and runs or multiples that cover a part. */
const container: fc.Arbitrary<Kept> = fc
  .record({
    some: fc.array(fc.oneof(fc.nat(70), fc.integer({ min: PART_ENTRIES - 70, max: PART_ENTRIES - 1 })), {
      maxLength: 40,
    }),
    step: fc.constantFrom(0, 1, 2, 3, 7, 500),
    start: fc.nat(300),
    isBitmap: fc.boolean(),
  })
  .map(({ some, step, start, isBitmap }) => {
    const entries = new Set(some);
    for (let entry = start; step > 0 && entry < PART_ENTRIES; entry += step) entries.add(entry);
    return { entries, container: isBitmap ? bitmapOf(entries) : numbersOf(entries) };
  });

const border = fc.oneof(fc.constantFrom(0, 31, 32, 64, PART_ENTRIES), fc.nat(PART_ENTRIES));

describe('the entries that lists have in common', () => {
  test('are those of sets, in any range, of any forms of containers', () => {
    fc.assert(
      fc.property(
        fc.array(container, { maxLength: 3 }),
        fc.array(container, { maxLength: 2 }),
        border,
        border,
        (required, excluded, one, other) => {
          const [from, to] = [Math.min(one, other), Math.max(one, other)];
          const wanted: number[] = [];
          for (let entry = from; entry < to; entry++) {
            const isIn = required.every(({ entries }) => entries.has(entry));
            if (isIn && !excluded.some(({ entries }) => entries.has(entry))) wanted.push(entry);
          }
          const [lists, without] = [required, excluded].map((all) => all.map((kept) => kept.container));
          const found: number[] = [];
          const visit = (entry: number) => {
            found.push(entry);
            return true;
          };
          expect(eachCommon(lists ?? [], without ?? [], from, to, visit)).toBe(true);
          expect(found).toEqual(wanted);
          expect(countCommon(lists ?? [], without ?? [], from, to)).toBe(wanted.length);
        },
      ),
      { numRuns: 60 },
    );
  }, 180_000);

  test.each([
    ['numbers', numbersOf],
    ['a bitmap', bitmapOf],
  ])('end when the visitor does, in %s', (_, make) => {
    const found: number[] = [];
    const isEnd = eachCommon([make([3, 40, 41, 90])], [], 0, PART_ENTRIES, (entry) => {
      found.push(entry);
      return found.length < 2;
    });
    expect([isEnd, found]).toEqual([false, [3, 40]]);
  });

  test('of two whole bitmaps are counted', () => {
    const [even, third] = [2, 3].map((step) =>
      bitmapOf(Array.from({ length: Math.ceil(PART_ENTRIES / step) }, (_, index) => index * step)),
    );
    expect(
      countCommon(
        [even, third].filter((one) => one !== undefined),
        [],
        0,
        PART_ENTRIES,
      ),
    ).toBe(Math.ceil(PART_ENTRIES / 6));
  });
});

test('a container knows its entries', () => {
  fc.assert(
    fc.property(container, fc.nat(PART_ENTRIES - 1), ({ entries, container: kept }, entry) => {
      expect(contains(kept, entry)).toBe(entries.has(entry));
    }),
  );
});

test('the place of a number in a sorted array is that of the first one that is not less', () => {
  const sorted = Uint32Array.of(2, 4, 4, 9);
  expect([0, 2, 3, 4, 5, 9, 10].map((wanted) => lowerBound(sorted, wanted))).toEqual([0, 0, 1, 1, 3, 3, 4]);
  expect(lowerBound(sorted, 4, 2)).toBe(2);
});
