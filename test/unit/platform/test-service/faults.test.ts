import { expect, test } from 'bun:test';
import { Faults } from '../../../../src/platform/test-service/faults.ts';

const fault = (operation: string, count: number, status: number) => ({
  ...{ operation, count, status },
  ...{ delayMs: 0, losesResponse: false },
});

test('faults of an operation happen in their order, each as often as it says', () => {
  const faults = new Faults();
  faults.add(fault('issueReceipt', 2, 503));
  faults.add(fault('issueReceipt', 1, 429));
  faults.add(fault('getHealth', 1, 500));
  expect([1, 2, 3, 4].map(() => faults.take('issueReceipt')?.status ?? null)).toEqual([503, 503, 429, null]);
  expect(faults.all).toEqual([fault('getHealth', 1, 500)]);
  expect(faults.take('toString')).toBeNull();
  faults.clear();
  expect([faults.isEmpty, faults.take('getHealth')]).toEqual([true, null]);
});
