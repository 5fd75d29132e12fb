import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECEIPT_PROOF_VECTORS, receiptProofVectors } from '../../../support/receipt-proof-vectors.ts';

test('the vectors of receipts with proofs are those of their script', () => {
  for (const [name, content] of receiptProofVectors()) {
    const file = readFileSync(join(RECEIPT_PROOF_VECTORS, name));
    expect([name, file.equals(Buffer.from(content))]).toEqual([name, true]);
  }
});
