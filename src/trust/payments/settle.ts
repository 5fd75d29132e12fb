import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { digest } from '../../proof/encoding/digest.ts';
import type { AgentCache } from '../agents/agent-cache.ts';
import { requireEnrolled } from '../agents/agents.ts';
import { commonErrors } from '../http/errors.ts';
import { creditsOf, ISSUANCE } from '../ledger/accounts.ts';
import { type LedgerContext, postIn } from '../ledger/post.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import type { SettlementRequest, SettlementResponse } from './schema.ts';
import { insertSettlement, type SettlementRow, settlementOf } from './store.ts';

/** The parts of the service that booking a settlement uses. */
export type SettlementContext = LedgerContext & { store: Store; agentCache: AgentCache };

/**
 * Books what a payment rail settled: paid credits for an agent. The caller has checked the signature of the
 * rail. A repeated body returns the first response.
 * @param replayed called when the response is that of an earlier request
 * @throws ApiError agent_not_enrolled, including for a revoked agent; conflict for another body with the same
 * rail and reference, and for a sum beyond 2^53 − 1
 */
export async function settle(
  trust: SettlementContext,
  principal: Principal,
  request: SettlementRequest,
  once: Once,
  replayed: () => void,
): Promise<SettlementResponse> {
  const bodyDigest = settlementDigest(request);
  return trust.store.write(principal.authority, (tx) =>
    once(tx, async () => {
      const { rail, reference, subject_commitment } = request;
      const booked = await settlementOf(tx, { rail, reference });
      if (booked === null) return settleIn(tx, trust, request, bodyDigest);
      if (booked.bodyDigest !== bodyDigest) {
        throw commonErrors.conflict({
          message:
            `The rail ${rail} settled ${reference} before, with another body, so it is not booked again. Send a new reference for a new ` +
            'settlement.',
        });
      }
      tx.afterCommit(replayed);
      return responseOf(booked, subject_commitment);
    }),
  );
}

async function settleIn(
  tx: Transaction,
  trust: SettlementContext,
  { rail, reference, subject_commitment, credits, amount_label }: SettlementRequest,
  bodyDigest: string,
): Promise<SettlementResponse> {
  const agent = requireEnrolled(
    await trust.agentCache.enrolledIn(tx, subject_commitment),
    subject_commitment,
  );
  const amountLabel = amount_label ?? null;
  const { transactionId, createdAt } = await postIn(tx, trust, {
    kind: 'SETTLEMENT',
    from: ISSUANCE,
    to: creditsOf(agent),
    portions: { paid: credits },
    reference: movementReference({ rail, reference }),
    memo: amountLabel,
  });
  const row = {
    rail,
    reference,
    bodyDigest,
    agentSeq: agent.agentSeq,
    credits,
    amountLabel,
    transactionId,
    createdAt,
  };
  await insertSettlement(tx, row);
  return responseOf(row, subject_commitment);
}

/** Returns the digest of the body of a settlement. */
export function settlementDigest(request: SettlementRequest): string {
  return digest(nativePrimitives, { ...request });
}

/** Returns the reference of the movement of a settlement. */
function movementReference({ rail, reference }: Pick<SettlementRow, 'rail' | 'reference'>): string {
  return `${rail}:${reference}`;
}

function responseOf(
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
