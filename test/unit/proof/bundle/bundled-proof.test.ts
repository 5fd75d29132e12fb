import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { readBundledProof } from '../../../../src/proof/bundle/bundled-proof.ts';
import type { JsonValue } from '../../../../src/proof/encoding/json.ts';
import { inclusionOf } from '../../../support/dishonest/proofs.ts';
import { FakeLog } from '../../../support/fake-log.ts';

const proof = inclusionOf(new FakeLog(), 'keys', 0);

function read(value: JsonValue, primitives = nativePrimitives) {
  const problems: string[] = [];
  return { found: readBundledProof(primitives, value, 'proof', problems), problems };
}

describe('a proof in a bundle', () => {
  test('is read with and without what the service says of its policy', () => {
    for (const value of [proof, { ...proof, cosigned: true }, { ...proof, cosigned: false }])
      expect(read(value)).toEqual({
        found: expect.objectContaining({ index: 0, entry: proof.leaf_entry }),
        problems: [],
      });
  });

  const { log: _, ...withoutLog } = proof;
  test.each<[JsonValue]>([
    [null],
    ['proof'],
    [[proof]],
    [{}],
    [withoutLog],
    [{ ...withoutLog, note: 'in the place of log' }],
    [{ ...proof, note: 'checked' }],
    [{ ...proof, cosigned: 'yes' }],
    [{ ...proof, hashes: { length: 0 } }],
    [{ ...proof, hashes: Array.from({ length: 64 }, () => '') }],
  ])('%#. has exactly its members, and no more hashes than a tree has levels', (value) => {
    expect(read(value)).toEqual({
      found: null,
      problems: ['proof has not the members of a proof, or more than 63 hashes'],
    });
  });

  test('that contradicts itself is refused with the reason', () => {
    expect(read({ ...proof, tree_size: 99 })).toEqual({
      found: null,
      problems: ['log, tree_size or leaf_hash of proof do not match its checkpoint and its leaf'],
    });
  });

  test('is not blamed for a fault of the program', () => {
    const broken = {
      ...nativePrimitives,
      sha256: () => {
        throw new RangeError('out of memory');
      },
    };
    expect(() => read(proof, broken)).toThrow(RangeError);
  });
});
