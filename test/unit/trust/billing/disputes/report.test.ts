import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { goneOf } from '../../../../../src/trust/billing/disputes/amounts.ts';
import { combined, type Report } from '../../../../../src/trust/billing/disputes/report.ts';
import { reportOf } from '../../../../../src/trust/billing/disputes/report-of-event.ts';

const report: fc.Arbitrary<Report> = fc.record({
  reportId: fc.constant('dp_1'),
  kind: fc.constant('dispute' as const),
  paymentIntent: fc.constant('pi_1'),
  chargeId: fc.constantFrom('ch_1', 'ch_2'),
  cents: fc.option(fc.nat(3)),
  status: fc.constantFrom('open', 'lost', 'released'),
  statusAt: fc.nat(3),
  money: fc.constantFrom('none', 'gone', 'back'),
  moneyAt: fc.nat(3),
  heldUntil: fc.nat(3),
});

test('reports are combined to the same in any order and grouping, and a repetition changes nothing', () => {
  fc.assert(
    fc.property(report, report, report, (one, other, third) => {
      expect(combined(one, one)).toEqual(one);
      expect(combined(one, other)).toEqual(combined(other, one));
      expect(combined(combined(one, other), third)).toEqual(combined(one, combined(other, third)));
    }),
  );
});

test.each([
  ['a refund', { charged: 400, failed: 0, made: 0, lost: 0 }, 400],
  ['one that failed', { charged: 400, failed: 400, made: 0, lost: 0 }, 0],
  ['one that failed, before it is known', { charged: 0, failed: 400, made: 0, lost: 0 }, 0],
  ['a further one, where the sum has the failed one', { charged: 700, failed: 400, made: 300, lost: 0 }, 300],
  ['a further one, where the sum has it not', { charged: 400, failed: 400, made: 300, lost: 0 }, 300],
  ['a refund and a loss', { charged: 400, failed: 0, made: 400, lost: 500 }, 900],
  ['more than was paid', { charged: 400, failed: 0, made: 0, lost: 700 }, 1000],
])('of 1,000 cents the payer has back: %s', (_name, sums, gone) => {
  expect(goneOf({ usdCents: 1000, ...sums })).toBe(gone);
});

const DISPUTE = {
  id: 'dp_1',
  charge: 'ch_1',
  payment_intent: 'pi_1',
  amount: 5,
  currency: 'usd',
  created: 60,
};

test.each([
  ['charge.dispute.created', 'needs_response', 'open', 'none'],
  ['charge.dispute.created', 'warning_needs_response', 'open', 'none'],
  ['charge.dispute.updated', 'under_review', 'open', 'none'],
  ['charge.dispute.updated', 'a status of later', 'open', 'none'],
  ['charge.dispute.updated', 'lost', 'lost', 'gone'],
  ['charge.dispute.funds_withdrawn', 'needs_response', 'open', 'gone'],
  ['charge.dispute.funds_reinstated', 'under_review', 'released', 'back'],
  ['charge.dispute.closed', 'won', 'released', 'back'],
  ['charge.dispute.closed', 'lost', 'lost', 'gone'],
  ['charge.dispute.closed', 'prevented', 'released', 'none'],
  ['charge.dispute.closed', 'warning_closed', 'released', 'none'],
])('%s with the status %s is %s, and its money %s', (type, status, expected, money) => {
  expect(reportOf(type, { ...DISPUTE, status }, 90)?.report).toMatchObject({ status: expected, money });
});

test.each([
  ['an id that no column can store', { id: 'é' }],
  ['no charge', { charge: undefined }],
  ['no payment intent', { payment_intent: null }],
])('a dispute with %s has no effect', (_name, change) => {
  expect(reportOf('charge.dispute.created', { ...DISPUTE, ...change }, 90)).toBeNull();
});

test('the hold ends 30 days after the dispute was made, whatever event tells of it, at a full hour', () => {
  const until = (created: unknown, sent: number) =>
    reportOf('charge.dispute.updated', { ...DISPUTE, created }, sent)?.report.heldUntil;
  const days = 30 * 24 * 3_600_000;
  expect(until(3600, 7200)).toBe(days + 3_600_000);
  expect(until(3601, 90_000)).toBe(days + 7_200_000);
  // A time that is none: the time of the event.
  for (const created of [-1, 1e15, 'x', null]) expect(until(created, 7200)).toBe(days + 7_200_000);
  expect(reportOf('charge.dispute.updated', DISPUTE, 1e15)).toBeNull();
});
