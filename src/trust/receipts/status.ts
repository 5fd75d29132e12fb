import { timestamp } from '../../platform/clock.ts';
import { nativePrimitives } from '../../platform/crypto.ts';
import { ReadOnly } from '../../platform/store/errors.ts';
import { isReceiptId } from '../../proof/receipt.ts';
import { signedObjectMessage } from '../../proof/signed-object.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { lostOf } from './lost.ts';
import { receiptSql } from './store.ts';

/** For how long a status may be relied on. */
const VALID_MS = 5 * 60_000;

/**
 * How a receipt stands now, signed, for whoever holds an old copy of it.
 * @throws ApiError receipt_not_found, conflict where the log knows more of it than the database; ReadOnly
 */
export async function receiptStatus({ store, clock, signer, readOnly }: Trust, receiptId: string) {
  // What is read here may be old, and a signature would vouch for it.
  if (readOnly) throw new ReadOnly();
  const found = isReceiptId(receiptId)
    ? await store.read((snapshot) => {
        const standing = receiptSql(snapshot).byId.get({ receiptId });
        return standing && { ...standing, lost: lostOf(snapshot, standing) };
      })
    : undefined;
  if (found === undefined) throw trustError('receipt_not_found');
  const { contentHash, status, revocationStatus } = found.current;
  // A revocation is final, of whichever version: it is told whatever else was lost.
  if (found.lost !== null && revocationStatus !== 'revoked') {
    throw trustError('conflict', { message: found.lost });
  }
  const said = {
    type: 'receipt-status' as const,
    receipt_id: receiptId,
    content_hash: contentHash,
    status,
    revocation_status: revocationStatus,
    checked_at: timestamp(clock),
    valid_until: timestamp({ now: () => clock.now() + VALID_MS }),
  };
  const { signature, kid } = signer.sign('credentials', signedObjectMessage(nativePrimitives, said));
  return { ...said, signature, kid };
}
