import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { writeFamily } from '../../../../../src/staffing/registry/build/postings.ts';

test('the lists of a family are written in order, however few ordinals are in memory at once', () => {
  const families = fc.record({
    lists: fc.array(fc.uniqueArray(fc.nat(30), { maxLength: 5 }), { minLength: 1, maxLength: 10 }),
    uses: fc.array(fc.nat(9), { maxLength: 60 }),
    most: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(families, ({ lists, uses, most }) => {
      const attributes = uses.map((use) => use % lists.length);
      const listsAt = (ordinal: number): readonly number[] => lists[attributes[ordinal] ?? 0] ?? [];
      const expected = [...new Set(attributes.flatMap((_, ordinal) => listsAt(ordinal)))]
        .sort((left, right) => left - right)
        .map((list) => [list, [...attributes.keys()].filter((ordinal) => listsAt(ordinal).includes(list))]);
      const written: [number, number[]][] = [];
      writeFamily(
        { write: (list, ordinals) => void written.push([list, [...ordinals]]) },
        attributes.length,
        {
          attributes: lists.length,
          attributeOf: (ordinal) => attributes[ordinal] ?? 0,
          listsOf: (attribute) => lists[attribute] ?? [],
        },
        most,
      );
      expect<unknown>(written).toEqual(expected);
    }),
  );
});
