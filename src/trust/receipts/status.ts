import { timestamp } from '../../platform/clock.ts';
import { isReceiptId } from '../../proof/encoding/receipt-id.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { VOUCHED_MS, vouchFor } from '../keys/vouch.ts';
import { lostOf } from './lost.ts';
import { receiptSql } from './store.ts';

/**
 * How a receipt stands now, signed, for whoever holds an old copy of it.
 * @throws ApiError receipt_not_found, conflict where the log knows more of it than the database; ReadOnly
 */
export function receiptStatus(trust: Trust, receiptId: string) {
  const { clock } = trust;
  return vouchFor(trust, (snapshot) => {
    const standing = isReceiptId(receiptId) ? receiptSql(snapshot).byId.get({ receiptId }) : undefined;
    if (standing === undefined) throw trustError('receipt_not_found');
    const { contentHash, status, revocationStatus } = standing.current;
    const lost = lostOf(snapshot, standing);
    // A revocation is final, of whichever version: it is told whatever else was lost.
    if (lost !== null && revocationStatus !== 'revoked') throw trustError('conflict', { message: lost });
    return {
      type: 'receipt-status' as const,
      receipt_id: receiptId,
      content_hash: contentHash,
      status,
      revocation_status: revocationStatus,
      checked_at: timestamp(clock),
      valid_until: timestamp({ now: () => clock.now() + VOUCHED_MS }),
    };
  });
}
