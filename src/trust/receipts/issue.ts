import { randomBytes } from 'node:crypto';
import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Traffic } from '../../platform/http/traffic.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { ClockWatch } from '../../platform/time/clock-watch.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { domainCommitment } from '../../proof/receipt/receipt.ts';
import { commonErrors } from '../http/errors.ts';
import { poolOf, REVENUE } from '../ledger/accounts.ts';
import { debitScopeIn } from '../ledger/credits/scope.ts';
import { payIn } from '../ledger/post.ts';
import { draftTime, issueTime } from '../log/clock/dates.ts';
import type { Signer } from '../log/keys/signing/signer.ts';
import type { TrustLog } from '../log/lifecycle/open.ts';
import type { OperatorActor } from '../operators/auth/actor.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import type { OperatorsPolicy } from '../operators/settings.ts';
import { requireGateIn } from './gate/require.ts';
import type { GatePolicy } from './gate/settings.ts';
import { requireOwnAgent } from './holder-access.ts';
import { isCurrentIn, recordIssueTimeIn } from './issue-time.ts';
import { recordActIn } from './linked/record.ts';
import { type ReceiptWithKid, receiptPayload, receiptWithSalt, removeSalt } from './representation.ts';
import type { IssueRequestBody } from './schema.ts';
import type { ReceiptsPolicy } from './settings.ts';
import { isBusy, PENDING, type SignedPayload, signPayload, signPayloadAsync } from './sign.ts';
import { insertReceipt, type ReceiptRow, receiptByContentHash } from './store.ts';

/** The parts of the service that issuing a receipt needs. */
export type IssueContext = {
  store: Store;
  clock: Clock;
  clockWatch: ClockWatch;
  ids: Ids;
  policy: ReceiptsPolicy & GatePolicy & OperatorsPolicy;
  principals: Principals;
  signer: Signer;
  traffic: Traffic;
  log: TrustLog;
};

/** A receipt before it is issued: everything that does not depend on stored data. */
type Draft = Omit<ReceiptRow, 'receiptSeq' | 'prevReceiptSeq' | 'chainDepth'>;

/**
 * Issues a receipt: pending, signed and durable. It is signed before the transaction, and off the event loop
 * under load, since signing takes half as long as everything else.
 * @throws ApiError validation_error for an expiry in the past, or a prev_receipt_hash that no version of the
 * operator's receipts had; forbidden for a holder key and another agent; gate_denied; clock_wrong;
 * insufficient_credits, scope_violation; quota_exceeded, rate_limit_exceeded
 */
export async function issueReceipt(
  trust: IssueContext,
  principal: OperatorActor,
  request: IssueRequestBody,
  once: Once,
): Promise<ReceiptWithKid> {
  requireOwnAgent(principal, request.agent_id);
  const draft = draftOf(principal, request, trust.ids.newId('rcpt_'), timestampOf(draftTime(trust)));
  const { operatorId } = principal;
  const payload = receiptPayload({ receipt: draft, operatorId, current: PENDING });
  const signed = isBusy(trust.traffic)
    ? await signPayloadAsync(trust.signer, payload)
    : signPayload(trust.signer, payload);
  return trust.store.write(principal.authority, (tx) =>
    once(tx, () => issueIn(tx, trust, principal, draft, signed), removeSalt),
  );
}

async function issueIn(
  tx: Transaction,
  trust: Omit<IssueContext, 'traffic'>,
  principal: OperatorActor,
  draft: Draft,
  signedAhead: SignedPayload,
): Promise<ReceiptWithKid> {
  const { operatorSeq, operatorId } = principal;
  const { signer } = trust;
  const now = issueTime(trust);
  if ((parseTimestamp(draft.expiry) ?? 0) <= now) throw invalid('expiry', 'must be in the future');
  await requireGateIn(tx, trust, operatorSeq, draft.domain);
  const { prevReceiptHash } = draft;
  const predecessor = prevReceiptHash === null ? null : await predecessorIn(tx, operatorSeq, prevReceiptHash);
  const isCurrent = await isCurrentIn(
    tx,
    { signer, store: trust.store, clock: { now: () => now } },
    draft.issuedAt,
    signedAhead.keySeq,
  );
  const row = {
    ...draft,
    issuedAt: isCurrent ? draft.issuedAt : timestampOf(now),
    prevReceiptSeq: predecessor?.receiptSeq ?? null,
    chainDepth: predecessor === null ? 0 : predecessor.chainDepth + 1,
  };
  const signed = isCurrent
    ? signedAhead
    : signPayload(signer, receiptPayload({ receipt: row, operatorId, current: PENDING }));
  const { kid, ...signature } = signed;
  const receiptSeq = await insertReceipt(tx, row, { ...PENDING, ...signature, signedAt: row.issuedAt });
  await recordIssueTimeIn(tx, trust, row.issuedAt, signature.keySeq);
  const { contentHash } = signature;
  const act = { ...row, event: 'issued', operatorId, contentHash, at: row.issuedAt } as const;
  await recordActIn(tx, trust, act);
  if (trust.policy.receiptPrice > 0)
    await payIssueIn(tx, trust, principal, { receiptSeq, receiptId: row.receiptId });
  return receiptWithSalt({
    receipt: { ...row, receiptSeq },
    operatorId,
    current: { ...PENDING, ...signature, signedAt: row.issuedAt, receiptSeq },
    kid,
  });
}

/** Charges the operator for a receipt. @throws ApiError insufficient_credits; scope_violation of the key */
async function payIssueIn(
  tx: Transaction,
  trust: Pick<IssueContext, 'clock' | 'ids' | 'policy'>,
  principal: OperatorActor,
  receipt: { receiptSeq: number; receiptId: string },
): Promise<void> {
  const amount = trust.policy.receiptPrice;
  await debitScopeIn(tx, trust, principal, { amount, product: 'receipt' });
  await payIn(tx, trust, {
    kind: 'METER',
    from: poolOf(principal),
    to: REVENUE,
    amount,
    reference: receipt.receiptId,
    receipt,
  });
}

function draftOf(
  { operatorSeq, apiKeySeq }: OperatorActor,
  request: IssueRequestBody,
  receiptId: string,
  issuedAt: string,
): Draft {
  const { domain } = request;
  const blindSalt = request.blind === true ? randomBytes(32).toString('hex') : null;
  return {
    receiptId,
    operatorSeq,
    agentId: request.agent_id,
    receiptType: request.receipt_type,
    inputDigest: request.input_digest,
    authorityScope: request.authority_scope,
    expiry: request.expiry,
    issuedAt,
    domain,
    domainCommitment: blindSalt === null ? null : domainCommitment(nativePrimitives, domain, blindSalt),
    blindSalt,
    prevReceiptHash: request.prev_receipt_hash ?? null,
    status: PENDING.status,
    revocationStatus: PENDING.revocationStatus,
    version: PENDING.version,
    apiKeySeq,
  };
}

async function predecessorIn(
  tx: Transaction,
  operatorSeq: number,
  contentHash: string,
): Promise<{ receiptSeq: number; chainDepth: number }> {
  const predecessor = await receiptByContentHash(tx, operatorSeq, contentHash);
  if (predecessor === null)
    throw invalid('prev_receipt_hash', 'is not the content_hash of one of your receipts');
  return predecessor;
}

function invalid(field: string, message: string) {
  return commonErrors.validation_error({ issues: { [field]: [message] } });
}
