import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { timestampOf } from '../../platform/time/timestamp.ts';
import { digest } from '../../proof/encoding/digest.ts';
import type { AgentCache } from '../agents/agent-cache.ts';
import { type AgentRow, requireEnrolled } from '../agents/agents.ts';
import { billingEvents } from '../billing/events.ts';
import { commonErrors } from '../http/errors.ts';
import { exactTextProblem } from '../http/exact-text.ts';
import { creditsOf, ISSUANCE } from '../ledger/accounts.ts';
import { maturityAfter } from '../ledger/lots/maturity.ts';
import { type LedgerContext, postIn } from '../ledger/post.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { requireAcceptedRestoreIn } from '../operators/restored/pending.ts';
import type { Events } from '../webhooks/events.ts';
import { paymentsErrors } from './errors.ts';
import type { SettlementRequest, SettlementResponse } from './schema.ts';
import { type CapsContext, countSettled, exceededCap } from './settlement-caps.ts';
import { insertSettlement, insertUnbookedSettlement, type SettlementRow, settlementsOf } from './store.ts';

/** The parts of the service that booking a settlement uses. */
export type SettlementContext = BookingContext & { store: Store; agentCache: AgentCache };

/**
 * Books what a payment rail settled: paid credits for an agent. The caller has checked the signature of the
 * rail. A repeated body returns the first response. One that exceeds a cap is stored and not booked.
 * @param replayed called when the response is that of an earlier request
 * @throws ApiError agent_not_enrolled, including for a revoked agent; conflict for another body with the same
 * rail and reference, and for a sum beyond 2^53 − 1; limit_exceeded; restore_not_accepted
 */
export async function settle(
  trust: SettlementContext,
  principal: Principal,
  request: SettlementRequest,
  once: Once,
  replayed: () => void,
): Promise<SettlementResponse> {
  const bodyDigest = settlementDigest(request);
  const outcome = await trust.store.write(principal.authority, async (tx) => {
    try {
      return await once(tx, () => settleIn(tx, trust, request, bodyDigest, replayed));
    } catch (error) {
      // Committed without a movement; only a response of 2xx is stored for its Idempotency-Key.
      if (error instanceof ExceededCap) return error;
      throw error;
    }
  });
  if (!(outcome instanceof ExceededCap)) return outcome;
  throw paymentsErrors.limit_exceeded({
    message: `This settlement exceeds a cap: ${outcome.message}. It was stored, and nothing was booked.`,
  });
}

/**
 * Refuses a reference that looks like another and is not. Upper and lower case differ: it is an id.
 * @throws ApiError validation_error
 */
export function requireExactReference(reference: string): void {
  const problem = exactTextProblem(reference);
  if (problem !== null) throw commonErrors.validation_error({ issues: { reference: [problem] } });
}

/** A settlement that was stored and not booked; the message names the cap. */
class ExceededCap extends Error {}

/** @throws ExceededCap after the settlement was stored */
async function settleIn(
  tx: Transaction,
  trust: SettlementContext,
  request: SettlementRequest,
  bodyDigest: string,
  replayed: () => void,
): Promise<SettlementResponse> {
  const { rail, reference, subject_commitment, credits, amount_label } = request;
  const earlier = await settlementsOf(tx, { rail, reference });
  const booked = earlier?.booked ?? null;
  const knownDigest = booked?.bodyDigest ?? earlier?.unbookedDigest ?? null;
  if (knownDigest !== null && knownDigest !== bodyDigest) {
    throw commonErrors.conflict({
      message:
        `The rail ${rail} settled ${reference} before, with another body, so it is not booked${booked === null ? '' : ' again'}. Send a new ` +
        'reference for a new settlement.',
    });
  }
  if (booked !== null) {
    tx.afterCommit(replayed);
    return settlementView(booked, subject_commitment);
  }
  await requireAcceptedRestoreIn(tx);
  const agent = requireEnrolled(
    await trust.agentCache.enrolledIn(tx, subject_commitment),
    subject_commitment,
  );
  const terms = {
    rail,
    reference,
    bodyDigest,
    agentSeq: agent.agentSeq,
    credits,
    amountLabel: amount_label ?? null,
  };
  const now = trust.clock.now();
  const exceeded = await exceededCap(tx, trust, terms, now);
  if (exceeded !== null) {
    await insertUnbookedSettlement(tx, { ...terms, createdAt: timestampOf(now) });
    throw new ExceededCap(exceeded);
  }
  return settlementView(await bookSettlementIn(tx, trust, agent, terms), subject_commitment);
}

/** The parts of the service that booking a settlement in a transaction uses. */
export type BookingContext = LedgerContext & CapsContext & { events: Pick<Events, 'emitIn'> };

/** Books a settlement of an enrolled agent in a transaction, whatever the caps say. */
export async function bookSettlementIn(
  tx: Transaction,
  trust: BookingContext,
  agent: AgentRow,
  terms: Omit<SettlementRow, 'settlementSeq' | 'transactionId' | 'createdAt'>,
): Promise<Omit<SettlementRow, 'settlementSeq'>> {
  const { holdDays } = trust.policy.settlementRails[terms.rail];
  const { transactionId, createdAt } = await postIn(tx, trust, {
    kind: 'SETTLEMENT',
    from: ISSUANCE,
    to: creditsOf(agent),
    portions: { paid: terms.credits },
    reference: movementReference(terms),
    memo: terms.amountLabel,
    lot: { paymentSeq: 0, maturesAt: maturityAfter(trust.clock.now(), holdDays) },
  });
  const row = { ...terms, transactionId, createdAt };
  const { settlementSeq } = await insertSettlement(tx, row);
  countSettled(tx, { ...terms, settlementSeq });
  trust.events.emitIn(tx, billingEvents, {
    event: 'payment.booked',
    data: {
      kind: 'settlement',
      amount: null,
      credits: terms.credits,
      reference: movementReference(terms),
    },
    timestamp: createdAt,
    operators: agent.sponsorSeq === null ? [] : [agent.sponsorSeq],
    isPrivate: true,
  });
  return row;
}

/** Returns the digest of the body of a settlement. */
export function settlementDigest(request: SettlementRequest): string {
  return digest(nativePrimitives, { ...request });
}

/** Returns the reference of the movement of a settlement. */
function movementReference({ rail, reference }: Pick<SettlementRow, 'rail' | 'reference'>): string {
  return `${rail}:${reference}`;
}

/** Returns a booked settlement as the API shows it. */
export function settlementView(
  { rail, reference, credits, amountLabel, transactionId, createdAt }: Omit<SettlementRow, 'settlementSeq'>,
  subject_commitment: string,
): SettlementResponse {
  return {
    // Each settlement is one transaction of the ledger.
    settlement_id: transactionId.replace(/^txn_/, 'stl_'),
    rail,
    reference,
    subject_commitment,
    credits,
    amount_label: amountLabel,
    status: 'credited',
    transaction_id: transactionId,
    credited_at: createdAt,
  };
}
