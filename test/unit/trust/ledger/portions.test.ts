import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { largestDebit, NO_CREDITS, portionsOf, totalOf } from '../../../../src/trust/ledger/portions.ts';

const credits = fc.record({ promotional: fc.nat(20), paid: fc.nat(20), sandbox: fc.nat(20) });

test.each([
  ['promotional credits first', { promotional: 5, paid: 5, sandbox: 5 }, 4, { promotional: 4 }],
  ['then paid credits', { promotional: 5, paid: 5, sandbox: 5 }, 7, { promotional: 5, paid: 2 }],
  ['all of both', { promotional: 5, paid: 5, sandbox: 5 }, 10, { promotional: 5, paid: 5 }],
  [
    'sandbox credits alone where these do not suffice',
    { promotional: 5, paid: 5, sandbox: 20 },
    11,
    { sandbox: 11 },
  ],
])('a debit takes %s', (_name, available, amount, expected) => {
  expect(portionsOf(available, amount)).toEqual({ ...NO_CREDITS, ...expected });
});

test('a debit never mixes sandbox credits with others', () => {
  expect(portionsOf({ promotional: 5, paid: 5, sandbox: 10 }, 11)).toBeNull();
});

test('a debit takes exactly its amount, of what there is, and is refused only above the largest debit', () => {
  fc.assert(
    fc.property(credits, fc.integer({ min: 1, max: 70 }), (available, amount) => {
      const portions = portionsOf(available, amount);
      expect(portions === null).toBe(amount > largestDebit(available));
      if (portions === null) return;
      expect(totalOf(portions)).toBe(amount);
      for (const name of ['promotional', 'paid', 'sandbox'] as const)
        expect(portions[name]).toBeWithin(0, available[name] + 1);
      expect(portions.sandbox === 0 || portions.sandbox === amount).toBe(true);
    }),
  );
});
