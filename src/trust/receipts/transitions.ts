import { timestamp } from '../../platform/clock.ts';
import type { Once } from '../../platform/http/idempotency.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import {
  type ErrorTranche,
  isReceiptId,
  type Outcome,
  outcomeMember,
  type Receipt,
} from '../../proof/receipt.ts';
import type { Trust } from '../context.ts';
import { trustError } from '../dialect.ts';
import { countFinalizationIn } from '../gate/service.ts';
import type { Principal } from '../operators/principals.ts';
import { mustBeOwnAgent } from './holder.ts';
import { ownReceipt, payloadOf } from './present.ts';
import type { Finalize } from './schema.ts';
import { signVersionIn, type Unsigned } from './sign.ts';
import { receiptSql, type Standing } from './store.ts';

type OwnReceipt = Receipt & { kid: string };

/**
 * Finalizes a pending receipt and re-signs it. Of two at once one wins; the other gets 409 with the receipt as it is.
 * @throws ApiError validation_error, receipt_not_found, receipt_already_finalized, receipt_already_revoked
 */
export async function finalize(
  trust: Trust,
  principal: Principal,
  receiptId: string,
  request: Finalize,
  once: Once,
): Promise<OwnReceipt> {
  const outcome = outcomeOf(request);
  return trust.store.write((tx) => once(tx, () => finalizeIn(tx, trust, principal, receiptId, outcome)));
}

function finalizeIn(
  tx: Transaction,
  trust: Trust,
  principal: Principal,
  receiptId: string,
  outcome: OutcomeColumns,
): OwnReceipt {
  const standing = ownIn(tx, principal, receiptId);
  const { receiptSeq, operatorSeq, domain, domainCommitment } = standing.receipt;
  const moved = receiptSql(tx).finalize.get({ receiptSeq, status: outcome.status });
  if (moved === undefined) {
    const code =
      standing.receipt.revocationStatus === 'revoked'
        ? 'receipt_already_revoked'
        : 'receipt_already_finalized';
    throw trustError(code, { members: { receipt: ownReceipt(standing) } });
  }
  const finalized = { operatorSeq, domain, blind: domainCommitment !== null };
  countFinalizationIn(tx, finalized, trust.clock.now(), outcome.errorTranche === 'SLA_BREACH');
  return resignIn(tx, trust, standing, {
    ...outcome,
    receiptSeq,
    version: moved.version,
    revocationStatus: 'active',
    revocationReason: null,
  });
}

/**
 * Revokes a receipt in whatever status and re-signs it.
 * @throws ApiError receipt_not_found, receipt_already_revoked
 */
export async function revoke(
  trust: Trust,
  principal: Principal,
  receiptId: string,
  reason: string | null,
  once: Once,
): Promise<OwnReceipt> {
  return trust.store.write((tx) => once(tx, () => revokeIn(tx, trust, principal, receiptId, reason)));
}

function revokeIn(
  tx: Transaction,
  trust: Trust,
  principal: Principal,
  receiptId: string,
  reason: string | null,
): OwnReceipt {
  const standing = ownIn(tx, principal, receiptId);
  const { receiptSeq } = standing.receipt;
  const moved = receiptSql(tx).revoke.get({ receiptSeq });
  if (moved === undefined) {
    throw trustError('receipt_already_revoked', { members: { receipt: ownReceipt(standing) } });
  }
  const { status, outputHash, reason: outcomeReason, errorTranche } = standing.current;
  return resignIn(tx, trust, standing, {
    receiptSeq,
    version: moved.version,
    status,
    outputHash,
    reason: outcomeReason,
    errorTranche,
    revocationStatus: 'revoked',
    revocationReason: reason,
  });
}

/** Another operator's receipt answers as one that does not exist. */
function ownIn(tx: Transaction, principal: Principal, receiptId: string): Standing {
  const { operatorSeq } = principal;
  const standing = isReceiptId(receiptId) ? receiptSql(tx).own.get({ receiptId, operatorSeq }) : undefined;
  if (standing === undefined) throw trustError('receipt_not_found');
  mustBeOwnAgent(principal, standing.receipt.agentId);
  return standing;
}

function resignIn(tx: Transaction, trust: Trust, standing: Standing, version: Unsigned): OwnReceipt {
  const { receipt, operatorId } = standing;
  const payload = payloadOf({ receipt, operatorId, current: version });
  const { current, kid } = signVersionIn(tx, trust.signer, version, payload, timestamp(trust.clock));
  return ownReceipt({ receipt, operatorId, current, kid });
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
