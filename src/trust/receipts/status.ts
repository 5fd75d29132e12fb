import { timestamp } from '../../platform/time/clock.ts';
import { trustError } from '../http/dialect.ts';
import { VOUCHED_MS, type VouchContext, vouchFor } from '../keys/vouch.ts';
import { lostOf } from './lost.ts';
import { receiptById } from './store.ts';

/**
 * How a receipt stands now, signed, for whoever holds an old copy of it.
 * @throws ApiError receipt_not_found, conflict where the log knows more of it than the database; ReadOnly
 */
export function receiptStatus(context: VouchContext, receiptId: string) {
  const { clock } = context;
  return vouchFor(context, async (snapshot) => {
    const standing = await receiptById(snapshot, receiptId);
    if (standing === null) throw trustError('receipt_not_found');
    const { contentHash, status, revocationStatus } = standing.current;
    const lost = await lostOf(snapshot, standing);
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
