import { expect, test } from 'bun:test';
import { OrderQueue } from '../../../../src/platform/workers/order-queue.ts';

/** A Worker that reports each order as it is, when it gets the next message. */
function echo(): Worker {
  const code = 'self.onmessage = ({ data }) => self.postMessage(data);';
  return new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
}

/** Returns the names of orders in the sequence in which they were worked on, and those that were refused. */
async function worked(orders: readonly string[], payers: boolean) {
  const queue = new OrderQueue<string, string>({
    ...{ start: echo, atOnce: 1, maxWaiting: 4, limitMs: 60_000, idleMs: 60_000, work: 'a test' },
    // A stranger has a lower-case letter.
    isFirst: (order) => order < 'a',
    ...(payers && { payerOf: (order: string) => order.charCodeAt(0) }),
    busy: () => new Error('busy'),
    tooSlow: () => new Error('too slow'),
    ended: () => new Error('ended'),
  });
  const done: string[] = [];
  const results = await Promise.allSettled(
    orders.map(async (order) => void done.push(await queue.report(order))),
  );
  queue.close();
  const refused = results.flatMap(({ status }, index) =>
    status === 'rejected' ? [orders[index] ?? ''] : [],
  );
  return { done: done.join(' '), refused: refused.join(' ') };
}

test.each<[string, string, boolean, string, string]>([
  ['in their order', 'A1 A2 B1 A3', false, 'A1 A2 B1 A3', ''],
  ['of payers in turns', 'A1 A2 A3 B1 C1', true, 'A1 B1 C1 A2 A3', ''],
  ['of payers in turns, each with several', 'A1 A2 A3 B1 B2', true, 'A1 B1 A2 B2 A3', ''],
  ['refused beyond those that may wait', 'A1 A2 A3 A4 A5 A6', true, 'A1 A2 A3 A4 A5', 'A6'],
  ['displaced by those of who has fewer', 'A1 A2 A3 A4 A5 B1 B2', true, 'A1 B1 A2 B2 A3', 'A4 A5'],
  ['not displaced for an equal share', 'A1 A2 A3 A4 A5 B1 B2 B3', true, 'A1 B1 A2 B2 A3', 'A4 A5 B3'],
  ['of strangers last, and displaced first', 'x1 x2 x3 A1 A2 A3 B1', true, 'x1 A1 B1 A2 A3', 'x2 x3'],
  ['of strangers refused while all wait', 'A1 A2 A3 B1 B2 x1', true, 'A1 B1 A2 B2 A3', 'x1'],
])('orders are worked on: %s', async (_, orders, payers, done, refused) => {
  expect(await worked(orders.split(' '), payers)).toEqual({ done, refused });
});
