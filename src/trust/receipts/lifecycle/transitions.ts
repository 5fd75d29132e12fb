import type { ErrorFactory } from '../../../platform/http/errors/define-errors.ts';
import type { Once } from '../../../platform/http/idempotency/once.ts';
import type { Ids } from '../../../platform/ids.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import { isReceiptId } from '../../../proof/encoding/receipt-id.ts';
import { isErrorTranche, receiptOutcome } from '../../../proof/receipt/outcome.ts';
import { type ErrorTranche, type Outcome, outcomeMember } from '../../../proof/receipt/receipt.ts';
import type { CredentialChanges } from '../../agents/agent-records.ts';
import { findAgentIn } from '../../agents/agents.ts';
import { atActTime } from '../../clock/dates.ts';
import { countReceiptIn } from '../../evidence/reputation/count.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Signer } from '../../log/keys/signing/signer.ts';
import type { TrustLog } from '../../log/lifecycle/open.ts';
import type { Principal } from '../../operators/auth/principals.ts';
import { requireRunning } from '../../operators/scope.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { operatorBySeq } from '../../operators/status.ts';
import type { Events } from '../../webhooks/events.ts';
import { receiptsErrors } from '../errors.ts';
import { countFinalizationIn } from '../gate/gate.ts';
import { requireOwnAgent } from '../holder-access.ts';
import { type ReceiptAct, recordActIn } from '../linked/record.ts';
import { isAlreadyLogged, logReceiptIn, logRevocationIn } from '../log/leaves.ts';
import { LOST_MESSAGES, lostVersionMessage } from '../log/lost-versions.ts';
import { type ReceiptWithKid, receiptForPrincipal, receiptPayload, removeSalt } from '../representation.ts';
import type { FinalizeRequestBody } from '../schema.ts';
import type { SlashingPolicy } from '../slashing/settings.ts';
import { slashIn } from '../slashing/slash.ts';
import {
  isServiceReceipt,
  type ReceiptState,
  receiptById,
  receiptOf,
  setFinalized,
  setRevoked,
} from '../store.ts';
import { signVersionIn, type UnsignedVersion } from './sign.ts';
import { gateReceiptOf, uncountRevokedIn } from './uncount.ts';

/** The parts of the service that changing a receipt needs. */
export type TransitionContext = {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  signer: Signer;
  log: TrustLog;
  events: Events;
  ids: Ids;
  policy: SlashingPolicy & OperatorsPolicy;
  credentialCache: CredentialChanges;
};

/**
 * Finalizes a pending receipt and signs it again. Of two concurrent calls one wins; the other gets 409 with the current receipt.
 * @throws ApiError validation_error, receipt_not_found, receipt_already_finalized, receipt_already_revoked; forbidden for a holder key and
 * another agent's receipt; scope_ended for a key whose scope has ended, and a receipt that it did not issue
 */
export async function finalizeReceipt(
  trust: TransitionContext,
  principal: Principal,
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
    // A restored backup may lack a finalization that the log has.
    const state = await trust.store.read((snapshot) => requireOwnIn(snapshot, trust, principal, receiptId));
    throw alreadyDone(receiptsErrors.receipt_already_finalized, principal, state, LOST_MESSAGES.receipts);
  }
}

async function finalizeIn(
  tx: Transaction,
  context: TransitionContext,
  principal: Principal,
  receiptId: string,
  outcome: OutcomeColumns,
): Promise<ReceiptWithKid> {
  const { operatorSeq, operatorId } = principal;
  const receipt = await setFinalized(tx, operatorSeq, receiptId, outcome.status);
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
  await countFinalizationIn(tx, gateReceiptOf(receipt, signedAt), outcome.errorTranche === 'SLA_BREACH');
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
  tx.afterCommit(() => trust.log.publisher.grown('receipts'));
  return finalized.receipt;
}

/** Returns why a receipt of the caller cannot be finalized. A finalized receipt stays finalized when it is revoked. */
async function notFinalizedIn(
  tx: Transaction,
  trust: Pick<TransitionContext, 'clock'>,
  principal: Principal,
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

function alreadyDone(error: ErrorFactory, principal: Principal, state: ReceiptState, message?: string) {
  return error({
    ...(message === undefined ? {} : { message }),
    members: { receipt: receiptForPrincipal(state, principal) },
  });
}

/**
 * Revokes a receipt in any status and signs it again. Admin keys also revoke what the service issued in the name of another operator.
 * @throws ApiError receipt_not_found, receipt_already_revoked; forbidden for a receipt of the service, unless the key is an admin key, and
 * for a holder key and another agent's receipt; scope_ended for a key whose scope has ended, and a receipt that it did not issue
 */
export async function revokeReceipt(
  trust: TransitionContext,
  principal: Principal,
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
  principal: Principal,
  receiptId: string,
  reason: string | null,
): Promise<ReceiptWithKid> {
  const state = await requireRevocableIn(tx, context, principal, receiptId);
  const { receiptSeq } = state.receipt;
  const newest = await setRevoked(tx, receiptSeq);
  if (newest === null) throw alreadyDone(receiptsErrors.receipt_already_revoked, principal, state);
  const trust = atActTime(context, Date.parse(state.current.signedAt));
  const { status, outputHash, reason: outcomeReason, errorTranche } = state.current;
  await uncountRevokedIn(tx, trust, state);
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
  const { receipt, signedAt, entry } = revoked;
  await logRevocationIn(
    tx,
    trust.log.open.revocations,
    { receiptSeq, version: newest },
    { ...entry, revoked_at: signedAt },
  );
  await recordActIn(tx, trust, actOf('revoked', state.receipt, state.operatorId, revoked));
  tx.afterCommit(() => trust.log.publisher.grown('revocations'));
  return receipt;
}

/**
 * Refuses a holder key for another agent's receipt, and a key whose scope has ended for a receipt that it did not issue.
 * @throws ApiError forbidden, scope_ended
 */
function requireMayChange(
  principal: Principal,
  { agentId, apiKeySeq }: Pick<ReceiptState['receipt'], 'agentId' | 'apiKeySeq'>,
  clock: TransitionContext['clock'],
): void {
  requireOwnAgent(principal, agentId);
  if (apiKeySeq !== principal.apiKeySeq) requireRunning(principal, clock.now());
}

/** Reads the caller's receipt. Another operator's receipt is not found, like one that does not exist. */
async function requireOwnIn(
  snapshot: Snapshot,
  { clock }: Pick<TransitionContext, 'clock'>,
  principal: Principal,
  receiptId: string,
): Promise<ReceiptState> {
  const state = await receiptOf(snapshot, principal.operatorSeq, receiptId);
  if (state === null) throw receiptsErrors.receipt_not_found();
  requireMayChange(principal, state.receipt, clock);
  return state;
}

/**
 * Reads a receipt that the caller may revoke. A receipt of the service, such as the proof that a worker was paid, is not for its operator to
 * take back: admin keys of active operators revoke it, whoever's it is.
 */
async function requireRevocableIn(
  snapshot: Snapshot,
  trust: Pick<TransitionContext, 'clock'>,
  principal: Principal,
  receiptId: string,
): Promise<ReceiptState> {
  const { operatorSeq, admin } = principal;
  const administered = admin ? await receiptById(snapshot, receiptId) : null;
  const isOthers = administered !== null && administered.receipt.operatorSeq !== operatorSeq;
  const state = isOthers ? administered : await requireOwnIn(snapshot, trust, principal, receiptId);
  const { receiptSeq } = state.receipt;
  if (!(await isServiceReceipt(snapshot, receiptSeq))) {
    if (isOthers) throw receiptsErrors.receipt_not_found();
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

/** Signs a changed receipt again. @returns the receipt, when it was signed, and the fields of its log entry */
async function resignIn(
  tx: Transaction,
  trust: TransitionContext,
  principal: Principal,
  { receipt, operatorId }: Pick<ReceiptState, 'receipt' | 'operatorId'>,
  version: UnsignedVersion,
) {
  const payload = receiptPayload({ receipt, operatorId, current: version });
  const signedAt = timestamp(trust.clock);
  const { current, kid } = await signVersionIn(tx, trust.signer, version, payload, signedAt);
  const { contentHash: content_hash, signature } = current;
  return {
    receipt: receiptForPrincipal({ receipt, operatorId, current, kid }, principal),
    signedAt,
    entry: { receipt_id: receipt.receiptId, content_hash, signature, kid },
  };
}

/** Returns the act that signed a version, as the log of accounts records it. */
function actOf(
  event: ReceiptAct['event'],
  { operatorSeq, receiptId, agentId }: ReceiptState['receipt'],
  operatorId: string,
  { signedAt, entry }: Awaited<ReturnType<typeof resignIn>>,
): ReceiptAct {
  return {
    event,
    operatorSeq,
    operatorId,
    receiptId,
    agentId,
    contentHash: entry.content_hash,
    at: signedAt,
  };
}

type OutcomeColumns = Pick<UnsignedVersion, 'outputHash' | 'reason' | 'errorTranche'> & { status: Outcome };

/** Returns the columns of an outcome, and refuses members that belong to another status. */
function outcomeOf(request: FinalizeRequestBody): OutcomeColumns {
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
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return {
    status,
    outputHash: request.output_hash ?? null,
    reason: request.refusal_reason ?? request.terminal_reason ?? null,
    errorTranche: tranche,
  };
}
