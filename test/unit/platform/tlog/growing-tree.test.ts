import { expect, test } from 'bun:test';
import { nativePrimitives, sha256 } from '../../../../src/platform/crypto/crypto.ts';
import { GrowingTree } from '../../../../src/platform/tlog/growing-tree.ts';
import { Frontier } from '../../../../src/proof/log/merkle.ts';

const leaf = (index: number): Uint8Array => new Uint8Array(sha256(`leaf ${index}`));

function rootOf(from: number, to: number): Uint8Array {
  const frontier = new Frontier(nativePrimitives);
  for (let index = from; index < to; index++) frontier.append(leaf(index));
  return frontier.root();
}

test('a growing tree has the root of every size, and returns each tile once it is full', () => {
  const tree = GrowingTree.empty();
  const frontier = new Frontier(nativePrimitives);
  const full: string[] = [];
  for (let index = 0; index < 70_000; index++) {
    for (const { level, index: tile, hashes, above } of tree.append(leaf(index))) {
      full.push(`${level}/${tile}`);
      expect(above.map(({ length }) => length)).toEqual([128, 64, 32, 16, 8, 4, 2, 1]);
      if (level === 1) expect(hashes[3]).toEqual(rootOf(768, 1024));
    }
    frontier.append(leaf(index));
    if (index % 997 === 0) expect(tree.root()).toEqual(frontier.root());
  }
  expect(tree.root()).toEqual(frontier.root());
  expect(full.filter((tile) => tile.startsWith('0/'))).toEqual(
    Array.from({ length: 273 }, (_, tile) => `0/${tile}`),
  );
  expect(full.filter((tile) => tile.startsWith('1/'))).toEqual(['1/0']);
});

test('a tree that grows is taken up from its last tiles, at any size', () => {
  for (const size of [0, 1, 2, 255, 256, 257, 511, 512, 700, 65_535, 65_536, 65_537]) {
    const tree = GrowingTree.empty();
    for (let index = 0; index < size; index++) tree.append(leaf(index));
    const again = GrowingTree.from(size, tree.edge());
    expect([size, again.size, again.root()]).toEqual([size, size, tree.root()]);
    const other = again.clone();
    for (let index = size; index < size + 300; index++) {
      expect(other.append(leaf(index))).toEqual(tree.append(leaf(index)));
    }
    expect([size, other.root(), again.size]).toEqual([size, tree.root(), size]);
  }
});

test('a tree that grows refuses tiles that no tree of the size has', () => {
  expect(() => GrowingTree.from(3, [[leaf(0)]])).toThrow(RangeError);
  expect(() => GrowingTree.from(257, [[leaf(0)]])).toThrow(RangeError);
  expect(() => GrowingTree.from(1, [[new Uint8Array(31)]])).toThrow(RangeError);
});
