import { expect, test } from 'bun:test';
import { RETRY_MS, Refusals } from '../../../../../../src/trust/payments/payouts/evm/refusals.ts';
import { VirtualTime } from '../../../../../support/virtual-time.ts';

test('a payout that the token refused is tried again ten minutes after its newest refusal', () => {
  const time = new VirtualTime();
  const refusals = new Refusals(time);
  refusals.add(1);
  time.jump(RETRY_MS / 2);
  refusals.add(2);
  refusals.add(1);
  expect([1, 2, 3].map((seq) => refusals.has(seq))).toEqual([true, true, false]);
  time.jump(RETRY_MS - 1);
  refusals.add(3);
  expect([1, 2, 3].map((seq) => refusals.has(seq))).toEqual([true, true, true]);
  time.jump(1);
  refusals.add(4);
  expect([1, 2, 3, 4].map((seq) => refusals.has(seq))).toEqual([false, false, true, true]);
});
