import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECEIPT_VECTORS, receiptVectors } from '../../../support/receipt-vectors.ts';

test('the vectors of receipts are those that their fixed keys give', () => {
  const vectors = receiptVectors();
  expect(readdirSync(RECEIPT_VECTORS).sort()).toEqual([...vectors.keys()].sort());
  for (const [name, text] of vectors)
    expect([name, readFileSync(join(RECEIPT_VECTORS, name), 'utf8') === text]).toEqual([name, true]);
});
