import type { Snapshot } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { commonErrors } from '../http/errors.ts';
import { statementTime } from '../log/clock/dates.ts';
import {
  STATEMENT_VALIDITY_MS,
  type StatementContext,
  signStatement,
} from '../log/keys/signing/statements.ts';
import { receiptsErrors } from './errors.ts';
import { lostVersionMessage } from './log/lost-versions.ts';
import { type ReceiptState, receiptById } from './store.ts';

/**
 * Returns the signed current status of a receipt, for holders of an old copy.
 * @throws ApiError receipt_not_found; conflict if the database lost a version; clock_wrong; ReadOnly
 */
export function receiptStatus(context: StatementContext, receiptId: string) {
  return signStatement(context, async (snapshot) => {
    const state = await receiptById(snapshot, receiptId);
    if (state === null) throw receiptsErrors.receipt_not_found();
    return statusOf(context, snapshot, state);
  });
}

/**
 * Returns the status of a receipt, not signed yet.
 * @throws ApiError conflict if the database lost a version
 */
export async function statusOf(context: StatementContext, snapshot: Snapshot, state: ReceiptState) {
  const { contentHash, status, revocationStatus } = state.current;
  const lost = await lostVersionMessage(snapshot, state);
  // A revocation is final, so it is returned even if another version was lost.
  if (lost !== null && revocationStatus !== 'revoked') throw commonErrors.conflict({ message: lost });
  const now = statementTime(context);
  return {
    type: 'receipt-status' as const,
    receipt_id: state.receipt.receiptId,
    content_hash: contentHash,
    status,
    revocation_status: revocationStatus,
    checked_at: timestampOf(now),
    valid_until: timestampOf(now + STATEMENT_VALIDITY_MS),
  };
}
