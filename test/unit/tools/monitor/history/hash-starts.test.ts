import { expect, test } from 'bun:test';
import { HashStarts } from '../../../../../src/tools/monitor/history/hash-starts.ts';

const randomHash = (): string => crypto.getRandomValues(new Uint8Array(32)).toHex();

test('a hash has one number of 23 bits in a file, and other hashes nearly always another', () => {
  const starts = new HashStarts(HashStarts.newKey());
  const hashes = Array.from({ length: 2000 }, randomHash);
  const numbers = hashes.map((hash) => starts.of(hash));
  expect(hashes.map((hash) => starts.of(hash))).toEqual(numbers);
  expect(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 2 ** 23)).toBe(true);
  // 0.24 pairs of so many are expected to have one number.
  expect(new Set(numbers).size).toBeGreaterThan(1980);
});

test('hashes that differ in one digit only have different numbers nearly always', () => {
  const starts = new HashStarts(HashStarts.newKey());
  const base = randomHash();
  const others = Array.from({ length: 64 }, (_, at) => {
    const digit = base[at] === 'f' ? 'e' : 'f';
    return `${base.slice(0, at)}${digit}${base.slice(at + 1)}`;
  });
  expect(new Set([base, ...others].map((hash) => starts.of(hash))).size).toBeGreaterThan(50);
});

test('whoever knows the numbers of one file does not know those of another', () => {
  const [one, other] = [new HashStarts(HashStarts.newKey()), new HashStarts(HashStarts.newKey())];
  const hashes = Array.from({ length: 100 }, randomHash);
  expect(hashes.filter((hash) => one.of(hash) === other.of(hash)).length).toBeLessThan(5);
});
