import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { hexToBytes } from '../../../../src/proof/encoding/hex.ts';
import { Frontier, leafHash, verifyInclusion } from '../../../../src/proof/log/merkle.ts';
import { CHUNK_LEAVES, chunkOf, ReferenceTree } from '../../../../src/proof/package/reference-tree.ts';

const p = nativePrimitives;
const LEAVES = Array.from({ length: 2100 }, (_, index) => leafHash(p, Buffer.from(`entry ${index}`)));

function treeOf(count: number): ReferenceTree {
  const tree = new ReferenceTree(p);
  for (const leaf of LEAVES.slice(0, count)) tree.append(leaf);
  return tree;
}

function chunkAt(position: number, count: number): Uint8Array[] {
  const start = chunkOf(position) * CHUNK_LEAVES;
  return LEAVES.slice(start, Math.min(start + CHUNK_LEAVES, count));
}

describe('the Merkle tree of a reference set', () => {
  test('has the root of RFC 6962 at every size', () => {
    const frontier = new Frontier(p);
    const tree = new ReferenceTree(p);
    for (const leaf of LEAVES) {
      expect(tree.root()).toBe(frontier.root().toHex());
      frontier.append(leaf);
      tree.append(leaf);
      expect(tree.count).toBe(frontier.size);
    }
    expect(tree.root()).toBe(frontier.root().toHex());
  });

  test.each([1, 2, 3, 255, 256, 257, 511, 512, 513, 700, 1024, 1025, 2047, 2048, 2100])(
    'of %d references gives an audit path of each that leads to its root',
    (size) => {
      const tree = treeOf(size);
      const root = hexToBytes(tree.root());
      for (const [index, leaf] of LEAVES.slice(0, size).entries()) {
        const path = tree.path(index, chunkAt(index, size));
        expect(verifyInclusion(p, { leaf, index, size, path, root })).toBe(true);
      }
    },
  );

  test('gives paths of the tree as it is, also after earlier paths', () => {
    const tree = treeOf(600);
    for (let size = 601; size < 800; size++) {
      tree.append(LEAVES[size - 1] ?? new Uint8Array());
      const root = hexToBytes(tree.root());
      for (const index of [0, 300, 512, size - 1]) {
        const leaf = LEAVES[index] ?? new Uint8Array();
        const path = tree.path(index, chunkAt(index, size));
        expect(verifyInclusion(p, { leaf, index, size, path, root })).toBe(true);
      }
    }
  });

  test('is the same if whole chunks are appended', () => {
    const tree = new ReferenceTree(p);
    for (const start of [0, CHUNK_LEAVES]) {
      tree.appendChunk(ReferenceTree.chunk(p, LEAVES.slice(start, start + CHUNK_LEAVES)));
    }
    for (const leaf of LEAVES.slice(2 * CHUNK_LEAVES, 700)) tree.append(leaf);
    expect([tree.count, tree.root()]).toEqual([700, treeOf(700).root()]);
    for (let index = 0; index < 700; index++) {
      const leaves = chunkAt(index, 700);
      expect(tree.path(index, leaves)).toEqual(treeOf(700).path(index, leaves));
    }
  });

  test('refuses a chunk that is not whole, and one after a part of another', () => {
    const chunk = ReferenceTree.chunk(p, LEAVES.slice(0, CHUNK_LEAVES));
    expect(() => ReferenceTree.chunk(p, LEAVES.slice(0, 255))).toThrow('a chunk has 256 leaves');
    expect(() => treeOf(1).appendChunk(chunk)).toThrow('not the root of a whole chunk');
    expect(() => treeOf(0).appendChunk({ ...chunk, root: chunk.root.slice(1) })).toThrow(
      'not the root of a whole chunk',
    );
  });

  test('refuses a position that it does not have, and the leaves of another chunk', () => {
    const tree = treeOf(300);
    expect(() => tree.path(300, chunkAt(299, 300))).toThrow('has no leaf 300');
    expect(() => tree.path(0, chunkAt(299, 300))).toThrow('the chunk 0 does not have 44 leaves');
    expect(() => tree.path(-1, [])).toThrow(RangeError);
    expect(() => treeOf(0).path(0, [])).toThrow('has no leaf 0');
  });

  test('refuses a leaf that is not a hash', () => {
    expect(() => new ReferenceTree(p).append(new Uint8Array(31))).toThrow('a hash has 32 bytes');
  });
});
