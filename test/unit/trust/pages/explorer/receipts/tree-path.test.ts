import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../../../src/platform/crypto/crypto.ts';
import { bytesToHex } from '../../../../../../src/proof/encoding/hex.ts';
import { inclusionPath, leafHash, nodeHash } from '../../../../../../src/proof/log/merkle.ts';
import { siblingsOnPath } from '../../../../../../src/trust/pages/explorer/receipts/tree-path.ts';

const leaf = (index: number): Uint8Array => leafHash(nativePrimitives, Buffer.from(String(index)));

/** Returns the root of `count` leaves from `first` on, as RFC 6962 defines it. */
function rootOf(first: number, count: number): Uint8Array {
  if (count === 1) return leaf(first);
  const left = 2 ** Math.ceil(Math.log2(count) - 1);
  return nodeHash(nativePrimitives, rootOf(first, left), rootOf(first + left, count - left));
}

describe('the subtrees on a path', () => {
  test('have the hashes of the proof, for each leaf of trees of up to 33 leaves', () => {
    for (let size = 1; size <= 33; size++) {
      for (let index = 0; index < size; index++) {
        const proof = inclusionPath(nativePrimitives, index, size, (level, node) =>
          rootOf(node * 2 ** level, 2 ** level),
        );
        const subtrees = siblingsOnPath(index, size).toReversed();
        const hashes = subtrees.map(({ first, last }) => bytesToHex(rootOf(first, last - first + 1)));
        expect([size, index, hashes]).toEqual([size, index, proof.map(bytesToHex)]);
        for (const { side, first, last } of subtrees)
          expect(side === 'left' ? last < index : first > index).toBe(true);
      }
    }
  });

  test('are at most 53, for the largest tree', () => {
    const size = Number.MAX_SAFE_INTEGER;
    for (const index of [0, 1, 2 ** 52, size - 1]) {
      const subtrees = siblingsOnPath(index, size);
      expect(subtrees.length).toBeLessThanOrEqual(53);
      const leaves = subtrees.reduce((sum, { first, last }) => sum + (last - first + 1), 1);
      expect(leaves).toBe(size);
    }
  });
});
