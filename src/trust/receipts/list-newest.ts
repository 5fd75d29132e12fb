import type { Store } from '../../platform/store/store.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import { FIRST_LEAF } from '../log/logs.ts';
import { leavesBetween } from './log/leaf-store.ts';
import { maskedReceipt } from './masked.ts';
import { receiptById } from './store.ts';

/** A receipt that the public log contains, as its public manifest shows it. */
export type NewestReceipt = Awaited<ReturnType<typeof newestReceipts>>[number];

/**
 * Returns the receipts of the newest entries of the log that a checkpoint covers, newest first, with masked
 * names as in their public manifests. Entries whose receipt the database lost are left out.
 */
export function newestReceipts({ store, log }: { store: Store; log: TrustLog }, limit: number) {
  const size = log.publisher.latest('receipts').response.tree_size;
  const from = Math.max(0, size - limit);
  return store.read(async (snapshot) => {
    const leaves = await leavesBetween(snapshot, 'receipts', FIRST_LEAF + from, FIRST_LEAF + size);
    const receipts = [];
    for (const { leafSeq, receiptId, signedAt } of leaves.toReversed()) {
      const state = receiptId === null ? null : await receiptById(snapshot, receiptId);
      if (state === null || signedAt === null) continue;
      receipts.push({
        ...maskedReceipt(state),
        revocation_status: state.current.revocationStatus,
        /** When the log's entry says that it was finalized. */
        finalized_at: signedAt,
        log_index: leafSeq - FIRST_LEAF,
      });
    }
    return receipts;
  });
}
