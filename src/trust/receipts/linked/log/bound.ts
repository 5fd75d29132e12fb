import type { Transaction } from '../../../../platform/store/transaction.ts';
import { sizeOf } from '../../../log/tree/tree.ts';
import { insertBound, newestReceiptSeq } from '../store.ts';

/**
 * Stores what there is when an account is linked or unlinked, so that fsck knows which receipts must have
 * leaves.
 */
export async function storeBoundIn(tx: Transaction, leafSeq: number): Promise<void> {
  await insertBound(tx, {
    leafSeq,
    receiptSeq: await newestReceiptSeq(tx),
    receiptLeaf: await sizeOf(tx, { name: 'receipts' }),
    revocationLeaf: await sizeOf(tx, { name: 'revocations' }),
  });
}
