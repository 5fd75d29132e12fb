import type { Primitives } from '../primitives.ts';

/** The greatest number of sampled references of a set. */
export const SAMPLE_SIZE = 20;

const PREFIX = 'countersign-sample:';
const utf8 = new TextEncoder();

/**
 * Returns the positions of the references that a package must show of a set: at most 20, ascending. They
 * follow from the root of the set, so that the issuer cannot choose them: the first distinct values of
 * u64be(SHA-256(`countersign-sample:<root>:<i>`)) mod count for i = 0, 1, …, where u64be reads the first 8
 * bytes of the hash as an unsigned integer, the most significant byte first.
 *
 * @param merkleRoot 64 lower-case hexadecimal characters
 * @param count the number of references of the set
 * @throws RangeError unless `count` is an integer from 0 to 2^53 − 1
 */
export function samplePositions(primitives: Primitives, merkleRoot: string, count: number): number[] {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is no number of references`);
  // Of a small set, every position is drawn sooner or later.
  if (count <= SAMPLE_SIZE) return Array.from({ length: count }, (_, position) => position);
  const positions = new Set<number>();
  for (let i = 0; positions.size < SAMPLE_SIZE; i++) {
    const hash = primitives.sha256(utf8.encode(`${PREFIX}${merkleRoot}:${i}`));
    const drawn = new DataView(hash.buffer, hash.byteOffset, 8).getBigUint64(0);
    positions.add(Number(drawn % BigInt(count)));
  }
  return [...positions].sort((left, right) => left - right);
}
