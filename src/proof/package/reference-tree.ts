import { bytesToHex } from '../encoding/hex.ts';
import { emptyRoot, HASH_BYTES, inclusionPath, type NodeReader, nodeHash, treeRoot } from '../log/merkle.ts';
import type { Primitives } from '../primitives.ts';

/** The number of leaves of a chunk. */
export const CHUNK_LEAVES = 256;

/** The level of the root of a whole chunk, and that of its sections, of 16 leaves each. */
const CHUNK_LEVEL = 8;
const SECTION_LEVEL = 4;
const SECTIONS = 2 ** (CHUNK_LEVEL - SECTION_LEVEL);

/** The nodes of a whole chunk that are stored. */
export interface Chunk {
  root: Uint8Array;
  /** The roots of its 16 sections, one after the other: 512 bytes. */
  sections: Uint8Array;
}

/**
 * The Merkle tree of a reference set (RFC 6962 over the leaf hashes in their order). It takes each leaf hash
 * once and stores of each chunk of 256 only 17 nodes, so that it needs some MiB for a million references. For
 * an audit path, the caller gives the leaf hashes of one chunk again.
 */
export class ReferenceTree {
  readonly #primitives: Primitives;
  /** The nodes of level 8 and above, by level: each has the roots of all perfect subtrees. */
  readonly #upper: Uint8Array[][] = [];
  /** The sections of each whole chunk. */
  readonly #sections: Uint8Array[] = [];
  /** The leaf hashes of the last chunk, which is not full. */
  #last: Uint8Array[] = [];
  /** The computed nodes of the last chunk, by level and index: nearly all paths need the same. */
  readonly #lastNodes = new Map<string, Uint8Array>();
  #count = 0;

  constructor(primitives: Primitives) {
    this.#primitives = primitives;
  }

  /** The number of references. */
  get count(): number {
    return this.#count;
  }

  /** Appends a leaf hash, which must not change later. @throws RangeError unless it is 32 bytes */
  append(leaf: Uint8Array): void {
    if (leaf.length !== HASH_BYTES) throw new RangeError('a hash has 32 bytes');
    this.#last.push(leaf);
    this.#lastNodes.clear();
    this.#count++;
    if (this.#last.length < CHUNK_LEAVES) return;
    this.#appendWhole(ReferenceTree.chunk(this.#primitives, this.#last));
    this.#last = [];
  }

  /**
   * Appends a whole chunk, which `chunk` returned for its leaf hashes.
   * @throws RangeError after leaf hashes that are not a whole chunk
   */
  appendChunk(chunk: Chunk): void {
    if (this.#last.length > 0 || chunk.root.length !== HASH_BYTES)
      throw new RangeError('not the root of a whole chunk');
    this.#count += CHUNK_LEAVES;
    this.#appendWhole(chunk);
  }

  /** Returns the nodes of a whole chunk. @throws RangeError unless these are 256 hashes */
  static chunk(primitives: Primitives, leaves: readonly Uint8Array[]): Chunk {
    if (leaves.length !== CHUNK_LEAVES) throw new RangeError(`a chunk has ${CHUNK_LEAVES} leaves`);
    const sections = levelAbove(primitives, leaves, SECTION_LEVEL);
    const bytes = new Uint8Array(HASH_BYTES * sections.length);
    for (const [at, section] of sections.entries()) bytes.set(section, HASH_BYTES * at);
    return { root: perfectRoot(primitives, sections), sections: bytes };
  }

  /**
   * Returns the root: 64 lower-case hexadecimal characters; for no reference the hash of the empty string.
   */
  root(): string {
    const read = this.#reader(chunkOf(this.#count), this.#last);
    return bytesToHex(
      this.#count === 0 ? emptyRoot(this.#primitives) : treeRoot(this.#primitives, this.#count, read),
    );
  }

  /**
   * Returns the audit path of the reference at `position`, the sibling of its leaf first.
   * @param leaves the leaf hashes of the chunk `chunkOf(position)`, all that were appended
   * @throws RangeError if the tree has no such position, or if these are not as many leaves as the chunk has
   */
  path(position: number, leaves: readonly Uint8Array[]): Uint8Array[] {
    const chunk = chunkOf(position);
    if (leaves.length !== Math.min(CHUNK_LEAVES, this.#count - chunk * CHUNK_LEAVES)) {
      throw new RangeError(`the chunk ${chunk} does not have ${leaves.length} leaves`);
    }
    return inclusionPath(this.#primitives, position, this.#count, this.#reader(chunk, leaves));
  }

  #appendWhole({ root, sections }: Chunk): void {
    this.#sections.push(sections);
    this.#appendUpper(0, root);
  }

  #appendUpper(height: number, root: Uint8Array): void {
    const nodes = this.#upper[height];
    if (nodes === undefined) {
      this.#upper[height] = [root];
      return;
    }
    const left = nodes.at(-1);
    nodes.push(root);
    if (left !== undefined && nodes.length % 2 === 0) {
      this.#appendUpper(height + 1, nodeHash(this.#primitives, left, root));
    }
  }

  /** Returns a node of a whole chunk, `height` levels above its sections. */
  #overSections(chunk: number, height: number, index: number): Uint8Array | undefined {
    const bytes = this.#sections[chunk];
    if (bytes === undefined) return undefined;
    const width = 2 ** height;
    const first = (index * width) % SECTIONS;
    const sections = Array.from({ length: width }, (_, at) => {
      const start = HASH_BYTES * (first + at);
      return bytes.subarray(start, start + HASH_BYTES);
    });
    return perfectRoot(this.#primitives, sections);
  }

  /**
   * Returns a reader of the nodes above all whole chunks, and of those within one chunk and within the last
   * one.
   */
  #reader(chunk: number, leaves: readonly Uint8Array[]): NodeReader {
    const lastChunk = chunkOf(this.#count);
    const computed = (of: readonly Uint8Array[], level: number, index: number): Uint8Array | undefined => {
      const start = (index * 2 ** level) % CHUNK_LEAVES;
      const below = of.slice(start, start + 2 ** level);
      return below.length === 2 ** level ? perfectRoot(this.#primitives, below) : undefined;
    };
    const ofLast = (level: number, index: number): Uint8Array | undefined => {
      const key = `${level} ${index}`;
      const node = this.#lastNodes.get(key) ?? computed(this.#last, level, index);
      if (node !== undefined) this.#lastNodes.set(key, node);
      return node;
    };
    const within = (level: number, index: number): Uint8Array | undefined => {
      const of = chunkOf(index * 2 ** level);
      if (of === lastChunk) return ofLast(level, index);
      if (of !== chunk) return undefined;
      if (level < SECTION_LEVEL) return computed(leaves, level, index);
      return this.#overSections(chunk, level - SECTION_LEVEL, index);
    };
    return (level, index) => {
      const node = level < CHUNK_LEVEL ? within(level, index) : this.#upper[level - CHUNK_LEVEL]?.[index];
      if (node === undefined) throw new RangeError(`the node ${index} of level ${level} is not in the chunk`);
      return node;
    };
  }
}

/** Returns the root of a perfect tree of a power of two of leaves. */
function perfectRoot(primitives: Primitives, leaves: readonly Uint8Array[]): Uint8Array {
  const [root] = levelAbove(primitives, leaves, Math.log2(leaves.length));
  return root ?? emptyRoot(primitives);
}

/** Returns the nodes some levels above others, whose number is a multiple of 2^`levels`. */
function levelAbove(
  primitives: Primitives,
  below: readonly Uint8Array[],
  levels: number,
): readonly Uint8Array[] {
  let nodes = below;
  for (let level = 0; level < levels; level++) {
    const parents: Uint8Array[] = [];
    for (let index = 0; index < nodes.length; index += 2) {
      const [left, right] = [nodes[index], nodes[index + 1]];
      if (left !== undefined && right !== undefined) parents.push(nodeHash(primitives, left, right));
    }
    nodes = parents;
  }
  return nodes;
}

/** Returns the number of the chunk of a position, from 0. */
export function chunkOf(position: number): number {
  return Math.floor(position / CHUNK_LEAVES);
}
