import type { Once } from '../../platform/idempotency/once.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import { timestamp } from '../../platform/time/clock.ts';
import { isReceiptId } from '../../proof/encoding/receipt-id.ts';
import { type ErrorTranche, type Outcome, outcomeMember } from '../../proof/receipt/receipt.ts';
import { agentIn } from '../agents/agents.ts';
import type { TrustContext } from '../context.ts';
import { countFinalizationIn } from '../gate/service.ts';
import { trustError } from '../http/dialect.ts';
import type { Principal } from '../operators/principals.ts';
import { countReceiptIn, receiptOutcome } from '../reputation/count.ts';
import { discountRevokedIn, gateReceipt } from './discount.ts';
import { mustBeOwnAgent } from './holder.ts';
import { isAlreadyLogged, logReceiptIn, logRevocationIn } from './leaves.ts';
import { LOST, lostOf } from './lost.ts';
import { type OwnReceipt, ownReceipt, payloadOf, withoutSalt } from './present.ts';
import type { Finalize } from './schema.ts';
import { signVersionIn, type Unsigned } from './sign.ts';
import { receiptOf, type Standing, setFinalized, setRevoked } from './store.ts';

/** What changing a receipt works with. */
export type TransitionContext = Pick<TrustContext, 'store' | 'clock' | 'signer' | 'log' | 'events'>;

/**
 * Finalizes a pending receipt and re-signs it. Of two at once one wins; the other gets 409 with the receipt as it is.
 * @throws ApiError validation_error, receipt_not_found, receipt_already_finalized, receipt_already_revoked
 */
export async function finalize(
  trust: TransitionContext,
  principal: Principal,
  receiptId: string,
  request: Finalize,
  once: Once,
): Promise<OwnReceipt> {
  const outcome = outcomeOf(request);
  if (!isReceiptId(receiptId)) throw trustError('receipt_not_found');
  try {
    return await trust.store.write(principal.authority.protective, (tx) =>
      once(tx, () => finalizeIn(tx, trust, principal, receiptId, outcome), withoutSalt),
    );
  } catch (error) {
    if (!isAlreadyLogged(error)) throw error;
    // A backup that was restored does not know of a finalization that the log holds.
    const standing = await trust.store.read((snapshot) => ownIn(snapshot, principal, receiptId));
    throw already('receipt_already_finalized', principal, standing, LOST.receipts);
  }
}

async function finalizeIn(
  tx: Transaction,
  trust: TransitionContext,
  principal: Principal,
  receiptId: string,
  outcome: OutcomeColumns,
): Promise<OwnReceipt> {
  const { operatorSeq, operatorId } = principal;
  const receipt = await setFinalized(tx, operatorSeq, receiptId, outcome.status);
  if (receipt === null) throw await notFinalizedIn(tx, principal, receiptId);
  mustBeOwnAgent(principal, receipt.agentId);
  const { receiptSeq, version } = receipt;
  const finalized = await resignIn(
    tx,
    trust,
    principal,
    { receipt, operatorId },
    { ...outcome, receiptSeq, version, revocationStatus: 'active', revocationReason: null },
  );
  const { signedAt, entry } = finalized;
  await countFinalizationIn(tx, gateReceipt(receipt, signedAt), outcome.errorTranche === 'SLA_BREACH');
  await countReceiptIn(tx, trust, await agentIn(tx, receipt.agentId), {
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
  tx.afterCommit(() => trust.log.publisher.grown('receipts'));
  return finalized.receipt;
}

/** Why a receipt of the caller's cannot be finalized. One that was finalized stays so when it is revoked. */
async function notFinalizedIn(tx: Transaction, principal: Principal, receiptId: string) {
  const standing = await ownIn(tx, principal, receiptId);
  if (standing.receipt.status !== 'pending') return already('receipt_already_finalized', principal, standing);
  const lost = await lostOf(tx, standing);
  return lost === LOST.receipts
    ? already('receipt_already_finalized', principal, standing, lost)
    : already('receipt_already_revoked', principal, standing);
}

function already(
  code: 'receipt_already_finalized' | 'receipt_already_revoked',
  principal: Principal,
  standing: Standing,
  message?: string,
) {
  return trustError(code, {
    ...(message === undefined ? {} : { message }),
    members: { receipt: ownReceipt(standing, principal) },
  });
}

/**
 * Revokes a receipt in whatever status and re-signs it.
 * @throws ApiError receipt_not_found, receipt_already_revoked
 */
export async function revoke(
  trust: TransitionContext,
  principal: Principal,
  receiptId: string,
  reason: string | null,
  once: Once,
): Promise<OwnReceipt> {
  try {
    return await trust.store.write(principal.authority.protective, (tx) =>
      once(tx, () => revokeIn(tx, trust, principal, receiptId, reason), withoutSalt),
    );
  } catch (error) {
    if (!isAlreadyLogged(error)) throw error;
    const standing = await trust.store.read((snapshot) => ownIn(snapshot, principal, receiptId));
    throw already('receipt_already_revoked', principal, standing, LOST.revocations);
  }
}

async function revokeIn(
  tx: Transaction,
  trust: TransitionContext,
  principal: Principal,
  receiptId: string,
  reason: string | null,
): Promise<OwnReceipt> {
  const standing = await ownIn(tx, principal, receiptId);
  const { receiptSeq } = standing.receipt;
  const newest = await setRevoked(tx, receiptSeq);
  if (newest === null) throw already('receipt_already_revoked', principal, standing);
  const { status, outputHash, reason: outcomeReason, errorTranche } = standing.current;
  await discountRevokedIn(tx, trust, standing);
  const revoked = await resignIn(tx, trust, principal, standing, {
    receiptSeq,
    version: newest,
    status,
    outputHash,
    reason: outcomeReason,
    errorTranche,
    revocationStatus: 'revoked',
    revocationReason: reason,
  });
  const { receipt, signedAt, entry } = revoked;
  await logRevocationIn(
    tx,
    trust.log.open.revocations,
    { receiptSeq, version: newest },
    { ...entry, revoked_at: signedAt },
  );
  tx.afterCommit(() => trust.log.publisher.grown('revocations'));
  return receipt;
}

/** Another operator's receipt answers as one that does not exist. */
async function ownIn(snapshot: Snapshot, principal: Principal, receiptId: string): Promise<Standing> {
  const standing = await receiptOf(snapshot, principal.operatorSeq, receiptId);
  if (standing === null) throw trustError('receipt_not_found');
  mustBeOwnAgent(principal, standing.receipt.agentId);
  return standing;
}

/** @returns the receipt as it stands now, when it was signed, and what a leaf of the log says of it. */
async function resignIn(
  tx: Transaction,
  trust: TransitionContext,
  principal: Principal,
  { receipt, operatorId }: Pick<Standing, 'receipt' | 'operatorId'>,
  version: Unsigned,
) {
  const payload = payloadOf({ receipt, operatorId, current: version });
  const signedAt = timestamp(trust.clock);
  const { current, kid } = await signVersionIn(tx, trust.signer, version, payload, signedAt);
  const { contentHash: content_hash, signature } = current;
  return {
    receipt: ownReceipt({ receipt, operatorId, current, kid }, principal),
    signedAt,
    entry: { receipt_id: receipt.receiptId, content_hash, signature, kid },
  };
}

type OutcomeColumns = Pick<Unsigned, 'outputHash' | 'reason' | 'errorTranche'> & { status: Outcome };

/** What an outcome carries, and that it carries nothing that belongs to another. */
function outcomeOf(request: Finalize): OutcomeColumns {
  const { status } = request;
  const owed = outcomeMember(status);
  const issues: Record<string, string[]> = {};
  for (const member of ['output_hash', 'refusal_reason', 'terminal_reason'] as const) {
    const there = request[member] !== undefined;
    if (there && member !== owed) issues[member] = [`does not belong to status ${status}`];
    if (!there && member === owed) issues[member] = [`is required for status ${status}`];
  }
  const tranche: ErrorTranche = request.error_tranche ?? (status === 'timeout' ? 'COMPUTE_TIMEOUT' : 'NONE');
  if (status === 'success' && tranche !== 'NONE') issues.error_tranche = ['is always NONE for success'];
  if (Object.keys(issues).length > 0) throw trustError('validation_error', { issues });
  return {
    status,
    outputHash: request.output_hash ?? null,
    reason: request.refusal_reason ?? request.terminal_reason ?? null,
    errorTranche: tranche,
  };
}
