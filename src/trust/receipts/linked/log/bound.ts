import type { Transaction } from '../../../../platform/store/transaction.ts';
import { sizeOf } from '../../../log/tree/tree.ts';
import { insertBound, newestReceiptSeq } from '../store.ts';

/**
 * Stores how far the logs are when an account is linked or unlinked, so that fsck knows the expected leaves.
 */
export async function storeBoundIn(tx: Transaction, leafSeq: number): Promise<void> {
  await insertBound(tx, {
    leafSeq,
    receiptSeq: await newestReceiptSeq(tx),
    receiptLeaf: await sizeOf(tx, { name: 'receipts' }),
    revocationLeaf: await sizeOf(tx, { name: 'revocations' }),
  });
}
