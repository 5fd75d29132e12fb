import { heapStats } from 'bun:jsc';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { ownCopyOf } from '../../../../src/platform/memory/own-copy.ts';

const MEGABYTE = 1024 * 1024;

test('a copy is equal to its text', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => ownCopyOf(text) === text));
});

test('a copy of a part does not keep the whole text in memory', () => {
  Bun.gc(true);
  const before = heapStats().extraMemorySize;
  const parts: string[] = [];
  for (let whole = 0; whole < 200; whole++) {
    const [part = ''] = Buffer.alloc(MEGABYTE, `name ${whole}\t`).toString('latin1').split('\t', 1);
    parts.push(ownCopyOf(part));
  }
  Bun.gc(true);
  expect(parts.at(-1)).toBe('name 199');
  expect(heapStats().extraMemorySize - before).toBeLessThan(100 * MEGABYTE);
});
