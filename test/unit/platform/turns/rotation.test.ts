import { expect, test } from 'bun:test';
import fc, { array, constantFrom, property, tuple } from 'fast-check';
import { Rotation } from '../../../../src/platform/turns/rotation.ts';

const always = (): boolean => true;

/** Takes all items of a rotation. */
function drained<Item>(rotation: Rotation<Item>): Item[] {
  const items: Item[] = [];
  for (let item = rotation.take(always); item !== null; item = rotation.take(always)) items.push(item);
  return items;
}

test('names take turns, and the items of a name keep their order', () => {
  const rotation = new Rotation<string>();
  for (const item of ['a1', 'a2', 'a3', 'a4']) rotation.add(['a'], item);
  for (const item of ['b1', 'b2']) rotation.add(['b'], item);
  rotation.add(['c'], 'c1');
  expect(drained(rotation)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  expect(rotation.isEmpty).toBe(true);
});

test('names inside a name share its turns', () => {
  const rotation = new Rotation<string>();
  for (const name of ['x', 'y', 'z']) for (const at of [1, 2]) rotation.add(['free', name], `${name}${at}`);
  for (const at of [1, 2, 3]) rotation.add(['paid'], `p${at}`);
  expect(drained(rotation)).toEqual(['x1', 'p1', 'y1', 'p2', 'z1', 'p3', 'x2', 'y2', 'z2']);
});

test('a name that was just served stands behind one that comes later', () => {
  const rotation = new Rotation<string>();
  rotation.add(['a'], 'a1');
  rotation.add(['a'], 'a2');
  expect(rotation.take(always)).toBe('a1');
  rotation.add(['b'], 'b1');
  expect(drained(rotation)).toEqual(['a2', 'b1']);
});

test('an item that may not be taken keeps the place of its name, and the next name has the turn', () => {
  const rotation = new Rotation<string>();
  rotation.add(['a'], 'a1');
  rotation.add(['b'], 'b1');
  const notA = (item: string): boolean => !item.startsWith('a');
  expect([rotation.take(notA), rotation.take(notA), rotation.isEmpty]).toEqual(['b1', null, false]);
  expect(drained(rotation)).toEqual(['a1']);
});

test('whatever comes, between two items of a name each other name with items has one', () => {
  const names = constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    property(array(tuple(names, names), { maxLength: 60 }), (added) => {
      const rotation = new Rotation<{ outer: string; at: number }>();
      for (const [at, [outer, inner]] of added.entries()) rotation.add([outer, inner], { outer, at });
      const left = new Map<string, number>();
      for (const [outer] of added) left.set(outer, (left.get(outer) ?? 0) + 1);
      const taken = drained(rotation);
      expect(taken.map(({ at }) => at).toSorted((one, other) => one - other)).toEqual([...added.keys()]);
      const served = new Map<string, number>();
      for (const { outer } of taken) {
        served.set(outer, (served.get(outer) ?? 0) + 1);
        left.set(outer, (left.get(outer) ?? 0) - 1);
        for (const [name, count] of left)
          if (count > 0 && name !== outer)
            expect((served.get(outer) ?? 0) - (served.get(name) ?? 0)).toBeLessThanOrEqual(1);
      }
    }),
  );
});
