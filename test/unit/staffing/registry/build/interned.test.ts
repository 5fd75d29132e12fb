import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Interned } from '../../../../../src/staffing/registry/build/interned.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('A', 'B', 'Ω', '\ufb01', '\u{10400}', '\u{10401}'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 12,
});

describe('interned texts', () => {
  test('have the numbers of their first use, and are returned by number', () => {
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const interned = new Interned();
        const distinct = [...new Set(texts)];
        const numbers = texts.map((one) => interned.numberOf(one));
        expect(numbers).toEqual(texts.map((one) => distinct.indexOf(one)));
        expect(interned.size).toBe(distinct.length);
        expect(distinct.map((_, number) => interned.textOf(number))).toEqual(distinct);
      }),
    );
  });

  test('have the ranks of their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(text), (texts) => {
        const interned = new Interned();
        for (const one of texts) interned.numberOf(one);
        const sorted = texts.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
        expect([...interned.ranks()]).toEqual(texts.map((one) => sorted.indexOf(one)));
      }),
    );
  });

  test('are more than those that are kept as strings, and than the chunks of their bytes', () => {
    const interned = new Interned();
    const textAt = (index: number): string => `${index % 7} text ${index}`.padEnd(index % 40, 'É');
    const count = 60_000;
    for (let index = 0; index < count; index++) expect(interned.numberOf(textAt(index))).toBe(index);
    for (let index = 0; index < count; index += 11) {
      expect(interned.numberOf(textAt(index))).toBe(index);
      expect(interned.textOf(index)).toBe(textAt(index));
    }
    expect(interned.size).toBe(count);
  });

  test('may have nearly the size of a chunk, and not more', () => {
    const interned = new Interned();
    const long = 'É'.repeat(32_767);
    expect(interned.numberOf('')).toBe(0);
    expect([interned.numberOf(long), interned.numberOf('A'), interned.numberOf(long)]).toEqual([1, 2, 1]);
    expect(interned.textOf(1)).toBe(long);
    expect(() => interned.numberOf(`${long}É`)).toThrow(/^a text of 65536 bytes is too long$/);
  });
});
