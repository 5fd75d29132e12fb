import { expect, test } from 'bun:test';
import { CheckoutQueue } from '../../../../src/trust/billing/checkout-queue.ts';

const tooMany = () => new RangeError('too many');

test('the orders of an operator follow each other, whether they succeed or fail', async () => {
  const orders = new CheckoutQueue();
  const done: number[] = [];
  const { promise: slow, resolve: respond } = Promise.withResolvers<void>();
  const first = orders.ofOperator(1, () => slow.then(() => done.push(1)), tooMany);
  const second = orders.ofOperator(1, () => Promise.reject(new TypeError(String(done.push(2)))), tooMany);
  const third = orders.ofOperator(1, async () => done.push(3), tooMany);
  await orders.ofOperator(2, async () => done.push(4), tooMany);
  expect(done).toEqual([4]);
  respond();
  await Promise.allSettled([first, second, third]);
  expect(done).toEqual([4, 1, 2, 3]);
  await expect(second).rejects.toThrow(TypeError);
});

test('ten orders of an operator wait, and the next is refused until one has ended', async () => {
  const orders = new CheckoutQueue();
  const { promise: slow, resolve: respond } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 10 }, () => orders.ofOperator(1, () => slow, tooMany));
  await expect(orders.ofOperator(1, async () => 'ran', tooMany)).rejects.toThrow('too many');
  expect(await orders.ofOperator(2, async () => 'ran', tooMany)).toBe('ran');
  respond();
  await Promise.all(waiting);
  expect(await orders.ofOperator(1, async () => 'ran', tooMany)).toBe('ran');
});
