import { expect, test } from 'bun:test';
import { tortureWrappedCalls } from '../../../../../scripts/torture/wrapped-calls.ts';

test('each of many parallel calls has one receipt, whatever is killed', async () => {
  const { called, receipts } = await tortureWrappedCalls(5, 100);
  expect(called).toBeGreaterThan(300);
  expect(receipts).toBeGreaterThan(called);
});
