import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import { atActTime } from '../log/clock/dates.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { requireRunning } from '../operators/scope.ts';
import { operatorBySeq } from '../operators/status.ts';
import { alreadyDone, requireOwnIn } from './change-access.ts';
import { countRevokedIn } from './count-revoked.ts';
import { receiptsErrors } from './errors.ts';
import { recordActIn } from './linked/record.ts';
import { isAlreadyLogged, logRevocationIn } from './log/leaves.ts';
import { LOST_MESSAGES } from './log/lost-versions.ts';
import { type ReceiptWithKid, removeSalt } from './representation.ts';
import { actOf, resignIn, type TransitionContext } from './resign.ts';
import { isServiceReceipt, type ReceiptState, receiptById, setRevoked } from './store.ts';

/**
 * Revokes a receipt in any status and signs it again. Admin keys can revoke what the service issued in the
 * name of another operator too.
 * @throws ApiError receipt_not_found, receipt_already_revoked; forbidden for a receipt of the service, unless
 * the key is an admin key, and for a holder key and another agent's receipt; scope_ended for a key whose
 * scope has ended, and a receipt that it did not issue
 */
export async function revokeReceipt(
  trust: TransitionContext,
  principal: OperatorActor,
  receiptId: string,
  reason: string | null,
  once: Once,
): Promise<ReceiptWithKid> {
  try {
    return await trust.store.write(principal.authority.neverRefused, (tx) =>
      once(tx, () => revokeIn(tx, trust, principal, receiptId, reason), removeSalt),
    );
  } catch (error) {
    if (!isAlreadyLogged(error)) throw error;
    const state = await trust.store.read((snapshot) =>
      requireRevocableIn(snapshot, trust, principal, receiptId),
    );
    throw alreadyDone(receiptsErrors.receipt_already_revoked, principal, state, LOST_MESSAGES.revocations);
  }
}

async function revokeIn(
  tx: Transaction,
  context: TransitionContext,
  principal: OperatorActor,
  receiptId: string,
  reason: string | null,
): Promise<ReceiptWithKid> {
  const state = await requireRevocableIn(tx, context, principal, receiptId);
  const { receiptSeq } = state.receipt;
  const newest = await setRevoked(tx, receiptSeq);
  if (newest === null) throw alreadyDone(receiptsErrors.receipt_already_revoked, principal, state);
  const trust = atActTime(context, Date.parse(state.current.signedAt));
  const { status, outputHash, reason: outcomeReason, errorTranche } = state.current;
  const revoked = await resignIn(tx, trust, principal, state, {
    receiptSeq,
    version: newest,
    status,
    outputHash,
    reason: outcomeReason,
    errorTranche,
    revocationStatus: 'revoked',
    revocationReason: reason,
  });
  await countRevokedIn(tx, trust, state);
  const { receipt, signedAt, entry } = revoked;
  await logRevocationIn(
    tx,
    trust.log.open.revocations,
    { receiptSeq, version: newest },
    { ...entry, revoked_at: signedAt },
  );
  await recordActIn(tx, trust, actOf('revoked', state.receipt, state.operatorId, revoked));
  tx.afterCommit(() => trust.log.publisher.grown('revocations', signedAt));
  return receipt;
}

/**
 * Reads a receipt that the caller may revoke. An operator cannot revoke a receipt of the service, for example
 * of a payment. Admin keys of active operators can, for every operator.
 */
async function requireRevocableIn(
  snapshot: Snapshot,
  trust: Pick<TransitionContext, 'clock'>,
  principal: OperatorActor,
  receiptId: string,
): Promise<ReceiptState> {
  const { operatorSeq, admin } = principal;
  const administered = admin ? await receiptById(snapshot, receiptId) : null;
  const isOfAnotherOperator = administered !== null && administered.receipt.operatorSeq !== operatorSeq;
  const state = isOfAnotherOperator
    ? administered
    : await requireOwnIn(snapshot, trust, principal, receiptId);
  const { receiptSeq } = state.receipt;
  if (!(await isServiceReceipt(snapshot, receiptSeq))) {
    if (isOfAnotherOperator) throw receiptsErrors.receipt_not_found();
    return state;
  }
  requireRunning(principal, trust.clock.now());
  if (admin && (await operatorBySeq(snapshot, operatorSeq))?.accountStatus === 'ACTIVE') return state;
  throw commonErrors.forbidden({
    message:
      'The service issued this receipt itself, about what it booked or took in, so only an admin key of an active operator can revoke it. ' +
      'Ask the administrator of the service.',
  });
}
