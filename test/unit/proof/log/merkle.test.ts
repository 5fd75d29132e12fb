import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { decodeBase64 } from '../../../../src/proof/encoding/base64.ts';
import { bytesToHex } from '../../../../src/proof/encoding/hex.ts';
import {
  consistencyPath,
  emptyRoot,
  Frontier,
  inclusionPath,
  leafHash,
  type NodeReader,
  nodeHash,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '../../../../src/proof/log/merkle.ts';
import { noblePrimitives } from '../../../../src/proof/noble.ts';
import { vectorJson } from '../../../support/vectors.ts';

const p = nativePrimitives;
const LARGEST = Number.MAX_SAFE_INTEGER;
const utf8 = new TextEncoder();

/**
 * RFC 6962 section 2.1 as it is written, by recursion over ranges of leaves: slow, and sharing nothing with
 * the code.
 */
const LEAVES = Array.from({ length: 320 }, (_, index) => sha256(0, utf8.encode(`entry ${index}`)));

function sha256(...parts: (number | Uint8Array)[]): Uint8Array {
  const hash = new Bun.CryptoHasher('sha256');
  for (const part of parts) hash.update(typeof part === 'number' ? Uint8Array.of(part) : part);
  return new Uint8Array(hash.digest());
}

const known = new Map<string, Uint8Array>();
function mth(from: number, to: number): Uint8Array {
  const name = `${from}-${to}`;
  const hash =
    known.get(name) ??
    (to - from === 0
      ? sha256()
      : to - from === 1
        ? leaf(from)
        : sha256(1, mth(from, from + split(to - from)), mth(from + split(to - from), to)));
  known.set(name, hash);
  return hash;
}

function leaf(index: number): Uint8Array {
  return LEAVES[index] ?? new Uint8Array();
}

/** The largest power of two smaller than n. */
function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

function auditPath(m: number, from: number, to: number): Uint8Array[] {
  if (to - from === 1) return [];
  const k = split(to - from);
  return m < k
    ? [...auditPath(m, from, from + k), mth(from + k, to)]
    : [...auditPath(m - k, from + k, to), mth(from, from + k)];
}

function subproof(m: number, from: number, to: number, whole: boolean): Uint8Array[] {
  if (m === to - from) return whole ? [] : [mth(from, to)];
  const k = split(to - from);
  return m <= k
    ? [...subproof(m, from, from + k, whole), mth(from + k, to)]
    : [...subproof(m - k, from + k, to, false), mth(from, from + k)];
}

/** Reads what a log of `size` leaves has stored, which is perfect subtrees and nothing else. */
function stored(size: number): NodeReader {
  return (level, index) => {
    const width = 2 ** level;
    if ((index + 1) * width > size) throw new Error(`no node ${level}/${index} at size ${size}`);
    return mth(index * width, (index + 1) * width);
  };
}

const hex = (hashes: readonly Uint8Array[]): string[] => hashes.map(bytesToHex);

/** Every path that differs from `path` by one flipped bit, or by one hash more or less. */
function* spoilt(path: readonly Uint8Array[]): Generator<Uint8Array[]> {
  for (const [at, hash] of path.entries()) {
    const flipped = hash.slice();
    flipped[at % 32] = (flipped[at % 32] ?? 0) ^ (1 << (at % 8));
    yield path.with(at, flipped);
    yield path.toSpliced(at, 1);
    yield path.toSpliced(at, 0, hash);
  }
  yield [...path, leaf(0)];
}

describe('the tree of RFC 6962', () => {
  test('of no leaf has the hash of nothing, and leaves and nodes differ by a prefix', () => {
    expect(bytesToHex(emptyRoot(p))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(treeRoot(p, 0, stored(0))).toEqual(emptyRoot(p));
    expect(leafHash(p, utf8.encode('entry 0'))).toEqual(leaf(0));
    expect(nodeHash(p, leaf(0), leaf(1))).toEqual(mth(0, 2));
    expect(nodeHash(noblePrimitives, leaf(0), leaf(1))).toEqual(mth(0, 2));
    expect(() => nodeHash(p, leaf(0).subarray(1), leaf(1))).toThrow(RangeError);
    expect(() => nodeHash(p, leaf(0), new Uint8Array(33))).toThrow(RangeError);
  });

  test('has the root of the definition at every size to 320, computed or grown', () => {
    const frontier = new Frontier(p);
    for (let size = 0; size <= 320; size++) {
      expect(frontier.size).toBe(size);
      const root = bytesToHex(mth(0, size));
      expect(bytesToHex(treeRoot(p, size, stored(size)))).toBe(root);
      expect(bytesToHex(frontier.root())).toBe(root);
      if (size < 320) frontier.append(leaf(size));
    }
  });

  test('proves every leaf at every size to 300', () => {
    for (let size = 1; size <= 300; size++) {
      const read = stored(size);
      const root = mth(0, size);
      for (let index = 0; index < size; index++) {
        const path = inclusionPath(p, index, size, read);
        if (hex(path).join() !== hex(auditPath(index, 0, size)).join())
          throw new Error(`path ${index}/${size}`);
        if (!verifyInclusion(p, { leaf: leaf(index), index, size, path, root })) {
          throw new Error(`refused ${index}/${size}`);
        }
      }
    }
  });

  test('accepts no path that was changed, and none for another leaf, index or root', () => {
    for (let size = 1; size <= 130; size++) {
      const root = mth(0, size);
      for (let index = 0; index < size; index++) {
        const right = { leaf: leaf(index), index, size, path: auditPath(index, 0, size), root };
        const wrong = [
          { ...right, index: index + 1 },
          { ...right, index: index - 1 },
          { ...right, index: index + 256 },
          { ...right, leaf: leaf(index + 1) },
          { ...right, root: leaf(index + 1) },
          ...[...spoilt(right.path)].map((path) => ({ ...right, path })),
        ];
        if (wrong.some((proof) => verifyInclusion(p, proof))) throw new Error(`accepted ${index}/${size}`);
      }
    }
  });

  test('proves every size up to 130 to begin with every smaller one', () => {
    for (let to = 0; to <= 130; to++) {
      for (let from = 0; from <= to; from++) {
        const path = consistencyPath(p, from, to, stored(to));
        const expected = from === 0 ? [] : subproof(from, 0, to, true);
        if (hex(path).join() !== hex(expected).join()) throw new Error(`path ${from}-${to}`);
        const right = { from, to, fromRoot: mth(0, from), toRoot: mth(0, to), path };
        if (!verifyConsistency(p, right)) throw new Error(`refused ${from}-${to}`);
        const wrong = [
          { ...right, from: from + 1 },
          { ...right, from: from - 1 },
          { ...right, fromRoot: leaf(300) },
          // From the empty tree and from a perfect one with nothing to add, any root is consistent.
          ...(from > 0 ? [{ ...right, toRoot: leaf(300) }] : []),
          ...[...spoilt(path)].map((other) => ({ ...right, path: other })),
        ];
        const accepted = wrong.findIndex((proof) => verifyConsistency(p, proof));
        if (accepted !== -1) throw new Error(`accepted ${from}-${to} with change ${accepted}`);
      }
    }
  });

  test('begins with the empty tree, which has one root alone', () => {
    const none = { from: 0, path: [], fromRoot: emptyRoot(p) };
    expect(verifyConsistency(p, { ...none, to: 0, toRoot: emptyRoot(p) })).toBe(true);
    expect(verifyConsistency(p, { ...none, to: 7, toRoot: mth(0, 7) })).toBe(true);
    expect(verifyConsistency(p, { ...none, to: 0, toRoot: mth(0, 7) })).toBe(false);
    expect(verifyConsistency(p, { ...none, to: 7, toRoot: mth(0, 7), fromRoot: mth(0, 7) })).toBe(false);
    expect(verifyConsistency(p, { ...none, to: 0, toRoot: mth(0, 7), fromRoot: mth(0, 7) })).toBe(false);
    expect(verifyConsistency(p, { ...none, to: 7, toRoot: mth(0, 7), path: [leaf(0)] })).toBe(false);
  });

  const numbers = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, LARGEST + 1, 2 ** 64];

  test.each(numbers)('has no size or index %p', (number) => {
    const hash = leaf(0);
    expect(() => treeRoot(p, number, stored(300))).toThrow(RangeError);
    expect(() => inclusionPath(p, number, 300, stored(300))).toThrow(RangeError);
    expect(() => inclusionPath(p, 0, number, stored(300))).toThrow(RangeError);
    expect(() => consistencyPath(p, number, 300, stored(300))).toThrow(RangeError);
    expect(() => consistencyPath(p, 0, number, stored(300))).toThrow(RangeError);
    expect(() => Frontier.from(p, { size: number, hashes: [] })).toThrow(RangeError);
    expect(verifyInclusion(p, { leaf: hash, index: number, size: 1, path: [], root: hash })).toBe(false);
    expect(verifyInclusion(p, { leaf: hash, index: 0, size: number, path: [], root: hash })).toBe(false);
    const pair = { fromRoot: hash, toRoot: hash, path: [] };
    expect(verifyConsistency(p, { ...pair, from: number, to: number })).toBe(false);
    expect(verifyConsistency(p, { ...pair, from: 1, to: number })).toBe(false);
    expect(verifyConsistency(p, { ...pair, from: number, to: 1 })).toBe(false);
  });

  test('proves no leaf beyond its end, and no larger tree to come before a smaller one', () => {
    expect(() => inclusionPath(p, 3, 3, stored(3))).toThrow('a tree of size 3 has no leaf 3');
    expect(() => inclusionPath(p, 0, 0, stored(0))).toThrow(RangeError);
    expect(() => consistencyPath(p, 4, 3, stored(4))).toThrow('does not begin with one of size 4');
    const roots = { fromRoot: mth(0, 4), toRoot: mth(0, 3), path: [] };
    expect(verifyConsistency(p, { ...roots, from: 4, to: 3 })).toBe(false);
  });

  test('takes no hash that is not of 32 bytes', () => {
    for (const hash of [new Uint8Array(), leaf(0).subarray(1), new Uint8Array(33)]) {
      const two = { leaf: leaf(0), index: 0, size: 2, path: [leaf(1)], root: mth(0, 2) };
      expect(verifyInclusion(p, two)).toBe(true);
      expect(verifyInclusion(p, { ...two, leaf: hash })).toBe(false);
      expect(verifyInclusion(p, { ...two, root: hash })).toBe(false);
      expect(verifyInclusion(p, { ...two, path: [hash] })).toBe(false);
      expect(verifyInclusion(p, { ...two, leaf: hash, size: 1, path: [], root: hash })).toBe(false);
      const grown = { from: 1, to: 2, fromRoot: leaf(0), toRoot: mth(0, 2), path: [leaf(1)] };
      expect(verifyConsistency(p, grown)).toBe(true);
      expect(verifyConsistency(p, { ...grown, fromRoot: hash })).toBe(false);
      expect(verifyConsistency(p, { ...grown, toRoot: hash })).toBe(false);
      expect(verifyConsistency(p, { ...grown, path: [hash] })).toBe(false);
      expect(() => new Frontier(p).append(hash)).toThrow(RangeError);
    }
  });
});

/** A log far beyond 32 bits: its leaves are all alike but for one. */
function vast(odd: number): NodeReader {
  const alike = [leaf(0)];
  const holding = [leaf(1)];
  for (let level = 0, index = odd; level < 53; level++, index = Math.floor(index / 2)) {
    const same = alike[level] ?? leaf(0);
    const other = holding[level] ?? leaf(1);
    alike.push(sha256(1, same, same));
    holding.push(index % 2 === 1 ? sha256(1, same, other) : sha256(1, other, same));
  }
  return (level, index) =>
    (Math.floor(odd / 2 ** level) === index ? holding[level] : alike[level]) ?? new Uint8Array();
}

test('sizes and indexes of a tree to 2^53 − 1 are as good as any', () => {
  const places = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32 + 5, 2 ** 45 + 2 ** 31 + 1, LARGEST - 2, LARGEST - 1];
  for (const index of places) {
    const read = vast(index);
    for (const size of [...places.map((place) => place + 1), LARGEST]) {
      const root = treeRoot(p, size, read);
      if (size > index) {
        const path = inclusionPath(p, index, size, read);
        expect(path.length).toBeLessThanOrEqual(53);
        expect(verifyInclusion(p, { leaf: leaf(1), index, size, path, root })).toBe(true);
        expect(verifyInclusion(p, { leaf: leaf(0), index, size, path, root })).toBe(false);
        expect(
          verifyInclusion(p, {
            leaf: leaf(1),
            index: index % 2 === 0 ? index + 1 : index - 1,
            size,
            path,
            root,
          }),
        ).toBe(false);
      }
      const toRoot = treeRoot(p, LARGEST, read);
      const path = consistencyPath(p, size, LARGEST, read);
      const proof = { from: size, to: LARGEST, fromRoot: root, toRoot, path };
      expect(verifyConsistency(p, proof)).toBe(true);
      expect(verifyConsistency(p, { ...proof, fromRoot: leaf(2) })).toBe(false);
    }
  }
});

describe('a frontier of a tree', () => {
  test('grows into the computed root however it is split, saved and restored', () => {
    const property = fc.property(fc.nat(320), fc.nat(320), (one, other) => {
      const [before, after] = one < other ? [one, other] : [other, one];
      const first = new Frontier(p);
      for (let index = 0; index < before; index++) first.append(leaf(index));
      const second = Frontier.from(p, JSON.parse(JSON.stringify(first)));
      for (let index = before; index < after; index++) second.append(leaf(index));
      expect(first.root()).toEqual(treeRoot(p, before, stored(before)));
      expect(second.root()).toEqual(treeRoot(p, after, stored(after)));
      expect(second.size).toBe(after);
    });
    fc.assert(property);
  });

  test('keeps nothing of the buffers that leaves come in', () => {
    const frontier = new Frontier(p);
    const buffer = new Uint8Array(32);
    for (let index = 0; index < 7; index++) {
      buffer.set(leaf(index));
      frontier.append(buffer);
    }
    expect(frontier.root()).toEqual(mth(0, 7));
  });

  test('is restored from as many hashes as its size has, and ends at 2^53 − 1', () => {
    const hash = Buffer.from(leaf(0)).toString('base64');
    const full = Frontier.from(p, { size: LARGEST, hashes: Array.from({ length: 53 }, () => hash) });
    expect(full.toJSON().hashes).toHaveLength(53);
    expect(full.root()).toHaveLength(32);
    expect(() => full.append(leaf(1))).toThrow('the tree is full');
    const restore = (size: number, hashes: string[]) => () => Frontier.from(p, { size, hashes });
    expect(restore(3, [hash])).toThrow('a tree of size 3 has 2 hashes at its right edge');
    expect(restore(3, [hash, hash, hash])).toThrow(RangeError);
    expect(restore(0, [hash])).toThrow(RangeError);
    expect(restore(1, ['AAAA'])).toThrow(RangeError);
    expect(restore(1, [`${hash} `])).toThrow(RangeError);
  });
});

interface InclusionVector {
  leafIdx: number;
  treeSize: number;
  root: string;
  leafHash: string;
  proof: string[] | null;
  desc: string;
  wantErr: boolean;
  file: string;
}

interface ConsistencyVector {
  size1: number;
  size2: number;
  root1: string | null;
  root2: string | null;
  proof: string[] | null;
  desc: string;
  wantErr: boolean;
  file: string;
}

const bytes = (text: string | null): Uint8Array => decodeBase64(text ?? '') ?? new Uint8Array();

describe('public vectors of transparency-dev/merkle', () => {
  test('of inclusion are decided as they say', () => {
    const vectors = vectorJson<InclusionVector[]>('merkle/inclusion.json');
    expect(vectors.length).toBeGreaterThan(90);
    for (const vector of vectors) {
      const accepted = verifyInclusion(p, {
        leaf: bytes(vector.leafHash),
        index: vector.leafIdx,
        size: vector.treeSize,
        path: (vector.proof ?? []).map(bytes),
        root: bytes(vector.root),
      });
      expect([vector.file, accepted]).toEqual([vector.file, !vector.wantErr]);
    }
  });

  test('of consistency are decided as they say', () => {
    const vectors = vectorJson<ConsistencyVector[]>('merkle/consistency.json');
    // The same twelve bytes at the same size, which its authors let pass and which are no hashes.
    const noHash = 'testdata/consistency/additional/sizes-are-equal-one-and-proof-is-empty.json';
    expect(vectors.length).toBeGreaterThan(90);
    for (const vector of vectors) {
      const accepted = verifyConsistency(p, {
        from: vector.size1,
        to: vector.size2,
        fromRoot: bytes(vector.root1),
        toRoot: bytes(vector.root2),
        path: (vector.proof ?? []).map(bytes),
      });
      expect([vector.file, accepted]).toEqual([vector.file, !vector.wantErr && vector.file !== noHash]);
    }
  });
});
