import { describe, expect, test } from 'bun:test';
import { nativePrimitives } from '../../../../src/platform/crypto/crypto.ts';
import { samplePositions } from '../../../../src/proof/package/sample.ts';

const ROOT = 'ab'.repeat(32);

/** The rule as docs/verification/packages.md has it, with other functions. */
function drawn(root: string, count: number, size: number): number[] {
  const positions: number[] = [];
  for (let i = 0; positions.length < size; i++) {
    const hash = new Bun.CryptoHasher('sha256').update(`countersign-sample:${root}:${i}`).digest('hex');
    const position = Number(BigInt(`0x${hash.slice(0, 16)}`) % BigInt(count));
    if (!positions.includes(position)) positions.push(position);
  }
  return positions.sort((left, right) => left - right);
}

describe('the positions of a sample', () => {
  test.each([1, 2, 19, 20, 21, 100, 100_000, Number.MAX_SAFE_INTEGER])(
    'of %d references are drawn by the root',
    (count) => {
      for (const root of [ROOT, '00'.repeat(32)]) {
        const positions = samplePositions(nativePrimitives, root, count);
        expect(positions).toEqual(drawn(root, count, Math.min(20, count)));
      }
    },
  );

  test('of no reference are none', () => {
    expect(samplePositions(nativePrimitives, ROOT, 0)).toEqual([]);
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53])('of %d references are an error', (count) => {
    expect(() => samplePositions(nativePrimitives, ROOT, count)).toThrow('is no number of references');
  });
});
