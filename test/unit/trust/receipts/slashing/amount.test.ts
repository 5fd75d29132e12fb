import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { slashedCents } from '../../../../../src/trust/receipts/slashing/amount.ts';

const stakes = fc.maxSafeNat();
const percents = fc.integer({ min: 0, max: 100 });

test('what is taken of any stake is the exact share, rounded up to whole cents', () => {
  fc.assert(
    fc.property(stakes, percents, (stake, percent) => {
      const taken = BigInt(slashedCents(stake, percent));
      const [hundredfold, exact] = [taken * 100n, BigInt(stake) * BigInt(percent)];
      expect([hundredfold >= exact, exact > hundredfold - 100n]).toEqual([true, true]);
    }),
  );
});

test('no percentage takes more than the stake, 100 takes all of it and 0 nothing', () => {
  fc.assert(
    fc.property(stakes, percents, (stake, percent) => {
      expect(slashedCents(stake, percent)).toBeLessThanOrEqual(stake);
      expect([slashedCents(stake, 100), slashedCents(stake, 0)]).toEqual([stake, 0]);
    }),
  );
});
