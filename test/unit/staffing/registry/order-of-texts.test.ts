import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareTexts } from '../../../../src/staffing/registry/order-of-texts.ts';

test('texts have the order of their UTF-8 bytes', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('A', 'B', 'Ω', '\ufb01', '\u{10400}', '\u{10401}'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
    maxLength: 4,
  });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(compareTexts(left, right))).toBe(bytes);
    }),
    { numRuns: 2000 },
  );
});
