import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { gwei, newFees, raisedFees } from '../../../../../../src/trust/payments/payouts/evm/fees.ts';
import { freeNonces, nonceState } from '../../../../../../src/trust/payments/payouts/evm/nonces.ts';
import {
  decimalText,
  unitsOfCents,
  unitsOfText,
  unitsOfTransfer,
} from '../../../../../../src/trust/payments/payouts/evm/units.ts';

const nonce = fc.integer({ min: 0, max: 200 });

describe('free nonces', () => {
  test('are new to the chain, the pool and the database, ascending, and leave no gap', () => {
    fc.assert(
      fc.property(
        nonce,
        nonce,
        fc.uniqueArray(nonce),
        fc.integer({ min: 0, max: 20 }),
        (latest, ahead, known, count) => {
          const pending = latest + ahead;
          const used = new Set(known);
          const free = freeNonces({ latest, pending, used }, count);
          expect(free).toHaveLength(count);
          expect(free.every((one) => one >= pending && !used.has(one))).toBe(true);
          expect(free.toSorted((one, other) => one - other)).toEqual(free);
          const last = free.at(-1) ?? pending - 1;
          for (let one = pending; one <= last; one += 1)
            expect(used.has(one) !== free.includes(one)).toBe(true);
        },
      ),
    );
  });

  test('are planned alike from the chain and from the database after each crash', () => {
    // What was stored before a crash, whether or not it was broadcast, is never given to another payout.
    fc.assert(
      fc.property(
        nonce,
        fc.array(fc.tuple(fc.integer({ min: 1, max: 10 }), fc.boolean()), { maxLength: 10 }),
        (start, rounds) => {
          const used = new Set<number>();
          let pending = start;
          for (const [count, isBroadcast] of rounds) {
            const free = freeNonces({ latest: start, pending, used }, count);
            for (const one of free) {
              expect(used.has(one)).toBe(false);
              used.add(one);
            }
            if (isBroadcast) while (used.has(pending)) pending += 1;
          }
          expect([...used].toSorted((one, other) => one - other)).toEqual(
            [...used].map((_, index) => start + index),
          );
        },
      ),
    );
  });

  test('are final only if the newest block agrees', () => {
    expect(nonceState(5, 5, 5)).toBe('waiting');
    expect(nonceState(5, 6, 5)).toBe('used');
    expect(nonceState(5, 6, 6)).toBe('final');
    // A node whose responses contradict each other proves nothing.
    expect(nonceState(5, 5, 6)).toBe('waiting');
  });
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });

describe('units', () => {
  test('of cents are exact in every number of decimals', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 2, max: 36 }),
        (cents, decimals) => {
          const units = unitsOfCents(cents, decimals);
          expect(units * 100n).toBe(BigInt(cents) * 10n ** BigInt(decimals));
        },
      ),
    );
  });

  test.each([
    [0, 6],
    [-1, 6],
    [1.5, 6],
    [Number.NaN, 6],
    [2 ** 53, 6],
    [1, 1],
    [1, 37],
  ])('of %d cents with %d decimals do not exist', (cents, decimals) => {
    expect(() => unitsOfCents(cents, decimals)).toThrow(RangeError);
  });

  test('are written and read as decimal text without loss', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 36 }), (units, decimals) => {
        expect(unitsOfText(decimalText(units, decimals), decimals)).toBe(units === 0n ? null : units);
      }),
    );
    expect(decimalText(1_500_000n, 6)).toBe('1.5');
    expect(decimalText(1n, 6)).toBe('0.000001');
    expect(decimalText(7n, 0)).toBe('7');
  });

  test.each(['', '0', '-1', '1.', '.5', '1e3', '1,000', ' 1', '1.0000001', '0x10', '1'.repeat(61)])(
    'are not read from %p',
    (text) => {
      expect(unitsOfText(text, 6)).toBeNull();
    },
  );

  test('are read from the input of a transfer only', () => {
    const input = `0xa9059cbb${'00'.repeat(12)}${'11'.repeat(20)}${'00'.repeat(31)}2a`;
    expect(unitsOfTransfer(input)).toBe(42n);
    expect(() => unitsOfTransfer('0x')).toThrow(RangeError);
    expect(() => unitsOfTransfer(`${input}00`)).toThrow(RangeError);
  });
});

const fee = fc.bigInt({ min: 0n, max: gwei(10_000) });
const market = fc.record({ baseFee: fee, tip: fc.option(fee) });

describe('fees', () => {
  test('suffice for the next block, and never exceed the limit', () => {
    fc.assert(
      fc.property(market, fee, fee, (asked, cap, tip) => {
        const fees = newFees(asked, { fee: cap, tip });
        if (fees === null) {
          expect(cap).toBeLessThanOrEqual(asked.baseFee + asked.baseFee / 8n);
          return;
        }
        expect(fees.maxFeePerGas).toBeLessThanOrEqual(cap);
        expect(fees.maxPriorityFeePerGas).toBeLessThanOrEqual(fees.maxFeePerGas);
        expect(fees.maxPriorityFeePerGas).toBeLessThanOrEqual(tip);
        expect(fees.maxFeePerGas).toBeGreaterThanOrEqual(asked.baseFee);
      }),
    );
  });

  test('of a replacement are at least ten percent higher, so that nodes take it', () => {
    fc.assert(
      fc.property(market, market, fee, fee, (first, then, cap, tip) => {
        const caps = { fee: cap, tip };
        const before = newFees(first, caps);
        const after = before === null ? null : raisedFees(before, then, caps);
        if (before === null || after === null) return;
        expect(after.maxFeePerGas * 10n).toBeGreaterThanOrEqual(before.maxFeePerGas * 11n);
        expect(after.maxPriorityFeePerGas * 10n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 11n);
        expect(after.maxFeePerGas).toBeLessThanOrEqual(cap);
        expect(after.maxPriorityFeePerGas).toBeLessThanOrEqual(after.maxFeePerGas);
        expect(after.maxPriorityFeePerGas).toBeLessThanOrEqual(tip);
      }),
    );
  });

  test('of a chain that names no tip have a tip', () => {
    expect(newFees({ baseFee: gwei(10), tip: null }, { fee: gwei(100), tip: gwei(3) })).toEqual({
      maxFeePerGas: gwei(21),
      maxPriorityFeePerGas: gwei(1),
    });
  });
});
