import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type PlacedLot, plannedHold } from '../../../../../src/trust/ledger/lots/hold-plan.ts';
import { NEVER } from '../../../../../src/trust/ledger/lots/maturity.ts';

const NOW = 1000;
const lot = (
  kind: 'pool' | 'agent' | 'locked',
  ownerSeq: number,
  amount: number,
  { isOwn = true, maturesAt = 0 } = {},
): PlacedLot => ({
  lot: { kind, ownerSeq, asset: 'paid', lock: 'txn_', maturesAt, paymentSeq: 1, amount },
  isOwn,
  isQueued: false,
});
/** Which credits are held, by owner: how many until when. */
const heldBy = (...args: Parameters<typeof plannedHold>) =>
  plannedHold(...args).flatMap(({ lot: { ownerSeq }, parts }) =>
    parts.filter(({ until }) => until > NOW).map(({ amount, until }) => [ownerSeq, amount, until]),
  );

test('held are the pool, then own agents, then what is locked, then what is not mature at others', () => {
  const lots = [
    lot('agent', 9, 50, { isOwn: false, maturesAt: 2000 }),
    lot('agent', 8, 50, { isOwn: false, maturesAt: 500 }),
    lot('locked', 3, 50),
    lot('agent', 2, 50),
    lot('pool', 1, 50),
  ];
  expect(heldBy(lots, [{ amount: 175, until: 5000 }], 500, NOW)).toEqual([
    [1, 50, 5000],
    [2, 50, 5000],
    [3, 50, 5000],
    [9, 25, 5000],
  ]);
});

test('a lot is split by the ends of holds, and the rest matures with its payment', () => {
  const tiers = [
    { amount: 10, until: 6000 },
    { amount: 20, until: 5000 },
  ];
  const [planned] = plannedHold([lot('pool', 1, 50, { maturesAt: 6000 })], tiers, 300, NOW);
  expect(planned?.parts).toEqual([
    { amount: 10, until: 6000 },
    { amount: 20, until: 5000 },
    { amount: 20, until: 300 },
  ]);
});

test('a hold never ends before the payment matures, and credits that are bound for ever stay so', () => {
  expect(heldBy([lot('pool', 1, 50)], [{ amount: 50, until: 2000 }], 3000, NOW)).toEqual([[1, 50, 3000]]);
  expect(plannedHold([lot('agent', 1, 50, { maturesAt: NEVER })], [], 0, NOW)).toEqual([]);
});

test('no credit is lost or made, and no more is held than was asked for', () => {
  const lots = fc.array(
    fc.record({
      kind: fc.constantFrom('pool', 'agent', 'locked'),
      ownerSeq: fc.nat(5),
      amount: fc.integer({ min: 1, max: 100 }),
      isOwn: fc.boolean(),
      maturesAt: fc.constantFrom(0, 500, 2000, 5000, NEVER),
    }),
  );
  const tiers = fc.array(fc.record({ amount: fc.integer({ min: 1, max: 200 }), until: fc.constant(5000) }));
  fc.assert(
    fc.property(lots, tiers, (made, asked) => {
      const placed = made.map(({ kind, ownerSeq, amount, ...more }) => lot(kind, ownerSeq, amount, more));
      const planned = plannedHold(placed, asked, 0, NOW);
      for (const { lot: one, parts } of planned)
        expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(one.amount);
      const sum = (amounts: readonly { amount: number }[]) =>
        amounts.reduce((total, { amount }) => total + amount, 0);
      const held = sum(planned.flatMap(({ parts }) => parts.filter(({ until }) => until > NOW)));
      expect(held).toBe(Math.min(sum(asked), sum(planned.map(({ lot: one }) => one))));
    }),
  );
});
