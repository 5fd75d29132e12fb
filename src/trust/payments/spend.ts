import { nativePrimitives } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import { digest } from '../../proof/encoding/digest.ts';
import { parseTimestamp } from '../../proof/encoding/timestamp.ts';
import { agentsErrors } from '../agents/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { creditsOf } from '../ledger/accounts.ts';
import { type AgentCaller, authorizeDebitIn } from '../ledger/credits/authorization.ts';
import { creditsErrors } from '../ledger/credits/errors.ts';
import { chargeAccountIn, type MeterContext } from '../ledger/metering/charge.ts';
import type { SpendRequest } from './schema.ts';
import { insertPayment, isNonceUsed } from './store.ts';

/** The parts of the service that a payment uses. */
export type SpendContext = MeterContext & { store: Store };

/** The members that the digest of a payment covers. */
export interface PaymentTerms {
  subject_commitment: string;
  product: string;
  credits_charged: number;
  merchant: string | null;
  nonce: string;
  /** As the payer sent it. */
  expires_at: string;
  meter_ref: string;
}

/**
 * Charges an agent for a product, and authorizes the payment: its digest is for the merchant.
 * @throws ApiError validation_error for a payment whose time has passed; errors of `authorizeDebitIn` for the
 * payer; nonce_reused; scope_violation for a price above max_credits; insufficient_credits; clock_wrong
 */
export function spend(trust: SpendContext, caller: AgentCaller, request: SpendRequest, once: Once) {
  return trust.store.write(caller.authority, (tx) => once(tx, () => spendIn(tx, trust, caller, request)));
}

async function spendIn(tx: Transaction, trust: SpendContext, caller: AgentCaller, request: SpendRequest) {
  const { subject_commitment, product, max_credits, merchant = null, nonce, expires_at } = request;
  if ((parseTimestamp(expires_at) ?? Number.NEGATIVE_INFINITY) <= trust.clock.now())
    throw commonErrors.validation_error({ issues: { expires_at: ['must be in the future'] } });
  const price = trust.policy.productPrices[product];
  const agent = await authorizeDebitIn(tx, trust, caller, subject_commitment, price, product);
  const { agentSeq } = agent;
  if (await isNonceUsed(tx, { agentSeq, nonce })) {
    throw agentsErrors.nonce_reused({
      message: 'The agent has paid with this nonce before. Send a new nonce for another payment.',
    });
  }
  if (price > max_credits) {
    throw creditsErrors.scope_violation({
      message: `The product ${product} costs ${price} credits, and max_credits is ${max_credits}. Send a larger max_credits, or do not buy it.`,
    });
  }
  const meter_receipt = await chargeAccountIn(tx, trust, creditsOf(agent), {
    product,
    kind: 'SPEND',
    stated: (charged) => ({
      merchant,
      nonce,
      expires_at,
      payment_digest: paymentDigest({ ...charged, subject_commitment, product, merchant, nonce, expires_at }),
    }),
  });
  const { meter_ref, credits_charged, remaining_credits, payment_digest } = meter_receipt;
  await insertPayment(tx, {
    agentSeq,
    nonce,
    product,
    credits: credits_charged,
    merchant,
    expiresAt: expires_at,
    transactionId: meter_ref,
    paymentDigest: payment_digest,
  });
  return {
    authorized: true as const,
    product,
    credits_charged,
    remaining_credits,
    meter_ref,
    payment_digest,
    meter_receipt,
  };
}

/** Returns the digest of a payment, which anyone who knows its terms can compute. */
export function paymentDigest(terms: PaymentTerms): string {
  return digest(nativePrimitives, { ...terms });
}
