import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { isReceiptId } from '../../proof/encoding/receipt-id.ts';
import { isErrorTranche, receiptOutcome } from '../../proof/receipt/outcome.ts';
import { type ErrorTranche, type Outcome, outcomeMember } from '../../proof/receipt/receipt.ts';
import { findAgentIn } from '../agents/agents.ts';
import { countReceiptIn } from '../evidence/reputation/count.ts';
import { commonErrors } from '../http/errors.ts';
import { atActTime } from '../log/clock/dates.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import { alreadyDone, requireMayChange, requireOwnIn } from './change-access.ts';
import { gateReceiptOf } from './count-revoked.ts';
import { receiptsErrors } from './errors.ts';
import { tellFinalizedIn } from './events.ts';
import { countFinalizationIn } from './gate/require.ts';
import { recordActIn } from './linked/record.ts';
import { isAlreadyLogged, logReceiptIn } from './log/leaves.ts';
import { LOST_MESSAGES, lostVersionMessage } from './log/lost-versions.ts';
import { type ReceiptWithKid, removeSalt } from './representation.ts';
import { actOf, resignIn, type TransitionContext } from './resign.ts';
import type { FinalizeRequestBody } from './schema.ts';
import type { UnsignedVersion } from './sign.ts';
import { slashIn } from './slashing/slash.ts';
import { setFinalized } from './store.ts';

/**
 * Finalizes a pending receipt and signs it again. Of two concurrent calls one wins; the other gets a 409.
 * @throws ApiError validation_error, receipt_not_found, receipt_already_finalized, receipt_already_revoked;
 * forbidden for a holder key and another agent's receipt; scope_ended for a key whose scope has ended, and a
 * receipt that it did not issue
 */
export async function finalizeReceipt(
  trust: TransitionContext,
  principal: OperatorActor,
  receiptId: string,
  request: FinalizeRequestBody,
  once: Once,
): Promise<ReceiptWithKid> {
  const outcome = outcomeOf(request);
  if (!isReceiptId(receiptId)) throw receiptsErrors.receipt_not_found();
  try {
    return await trust.store.write(principal.authority.neverRefused, (tx) =>
      once(tx, () => finalizeIn(tx, trust, principal, receiptId, outcome), removeSalt),
    );
  } catch (error) {
    if (!isAlreadyLogged(error)) throw error;
    // The log can have a finalization that a restored backup does not have.
    const state = await trust.store.read((snapshot) => requireOwnIn(snapshot, trust, principal, receiptId));
    throw alreadyDone(receiptsErrors.receipt_already_finalized, principal, state, LOST_MESSAGES.receipts);
  }
}

async function finalizeIn(
  tx: Transaction,
  context: TransitionContext,
  principal: OperatorActor,
  receiptId: string,
  outcome: OutcomeColumns,
): Promise<ReceiptWithKid> {
  const { operatorSeq, operatorId } = principal;
  const receipt = await setFinalized(tx, { status: outcome.status, receiptId, operatorSeq });
  if (receipt === null) throw await notFinalizedIn(tx, context, principal, receiptId);
  requireMayChange(principal, receipt, context.clock);
  const { receiptSeq, version } = receipt;
  const trust = atActTime(context, Date.parse(receipt.issuedAt));
  const finalized = await resignIn(
    tx,
    trust,
    principal,
    { receipt, operatorId },
    { ...outcome, receiptSeq, version, revocationStatus: 'active', revocationReason: null },
  );
  const { signedAt, entry } = finalized;
  const isBreach = outcome.errorTranche === 'SLA_BREACH';
  await countFinalizationIn(tx, gateReceiptOf(receipt, isBreach ? signedAt : receipt.issuedAt), isBreach);
  const { errorTranche: tranche } = outcome;
  if (isErrorTranche(tranche)) {
    const failed = { receiptSeq, receiptId, operatorSeq, operatorId, tranche, finalizedAt: signedAt };
    await slashIn(tx, trust, failed);
  }
  await countReceiptIn(tx, trust, await findAgentIn(tx, receipt.agentId), {
    receiptSeq,
    operatorSeq,
    outcome: receiptOutcome(outcome.status, outcome.errorTranche),
    at: signedAt,
  });
  await logReceiptIn(
    tx,
    trust.log.open.receipts,
    { receiptSeq, version },
    { ...entry, finalized_at: signedAt },
  );
  await recordActIn(tx, trust, actOf('finalized', receipt, operatorId, finalized));
  tellFinalizedIn(tx, trust, operatorSeq, signedAt, {
    receipt_id: receiptId,
    status: outcome.status,
    content_hash: entry.content_hash,
  });
  tx.afterCommit(() => trust.log.publisher.grown('receipts', signedAt));
  return finalized.receipt;
}

/** Returns why a receipt of the caller cannot be finalized. A revoked receipt can be a finalized one. */
async function notFinalizedIn(
  tx: Transaction,
  trust: Pick<TransitionContext, 'clock'>,
  principal: OperatorActor,
  receiptId: string,
) {
  const state = await requireOwnIn(tx, trust, principal, receiptId);
  if (state.receipt.status !== 'pending')
    return alreadyDone(receiptsErrors.receipt_already_finalized, principal, state);
  const lost = await lostVersionMessage(tx, state);
  return lost === LOST_MESSAGES.receipts
    ? alreadyDone(receiptsErrors.receipt_already_finalized, principal, state, lost)
    : alreadyDone(receiptsErrors.receipt_already_revoked, principal, state);
}

type OutcomeColumns = Pick<UnsignedVersion, 'outputHash' | 'reason' | 'errorTranche'> & { status: Outcome };

/** Returns the columns of an outcome, and refuses members that belong to another status. */
function outcomeOf(request: FinalizeRequestBody): OutcomeColumns {
  const { status } = request;
  const owed = outcomeMember(status);
  const issues: Record<string, string[]> = {};
  for (const member of ['output_hash', 'refusal_reason', 'terminal_reason'] as const) {
    const isThere = request[member] !== undefined;
    if (isThere && member !== owed) issues[member] = [`does not belong to status ${status}`];
    if (!isThere && member === owed) issues[member] = [`is required for status ${status}`];
  }
  const tranche: ErrorTranche = request.error_tranche ?? (status === 'timeout' ? 'COMPUTE_TIMEOUT' : 'NONE');
  if (status === 'success' && tranche !== 'NONE') issues.error_tranche = ['is always NONE for success'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return {
    status,
    outputHash: request.output_hash ?? null,
    reason: request.refusal_reason ?? request.terminal_reason ?? null,
    errorTranche: tranche,
  };
}
