import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { operatorBySeq } from '../operators/status.ts';
import { type CheckoutContext, checkoutRowOf, type SessionView, sessionView, type Ui } from './checkout.ts';
import { CheckoutQueue } from './checkout-queue.ts';
import { customerOfOperator, insertCheckout } from './checkout-store.ts';
import { isSuspendedByRefund } from './payment-store.ts';
import type { CheckoutOrder } from './processor/processor.ts';
import { requireProcessor } from './require-processor.ts';

/** The seconds that an operator should wait while its orders wait for the processor. */
const WAIT_S = '5';

/** An operator's order. */
interface Topup {
  usd_cents: number;
  target: 'credits' | 'stake';
  ui?: Ui;
}

/**
 * Orders credits or stake for the caller's operator. An operator that a refund suspended can order too, to
 * pay its debt. The orders of an operator follow each other, so that a repeated request finds the session of
 * the first one and opens no other at the processor.
 * @throws ApiError not_configured, processor_unavailable, forbidden; validation_error for less than the price
 * of a credit; overloaded by waiting orders
 */
export async function startTopup(
  trust: CheckoutContext,
  principal: Principal,
  topup: Topup,
  once: Once,
): Promise<SessionView> {
  if (principal.role !== 'issuer')
    throw commonErrors.forbidden({ message: 'A holder key cannot order credits. Use an issuer key.' });
  return CheckoutQueue.of(trust.store).ofOperator(
    principal.operatorSeq,
    async () => (await firstResponse(trust, principal, once)) ?? order(trust, principal, topup, once),
    () =>
      commonErrors.overloaded({
        message:
          'Too many orders of this operator wait for the payment processor. Repeat the request after the seconds in the Retry-After header.',
        headers: { 'retry-after': WAIT_S },
      }),
  );
}

/** Thrown by a transaction that finds no earlier response. */
class IsFirst extends Error {}

/**
 * Returns the response to an earlier request with the same key; null for a new request. It counts the request
 * against the quota, so that a refused request sends none to the processor.
 */
async function firstResponse(
  { store }: CheckoutContext,
  { authority }: Principal,
  once: Once,
): Promise<SessionView | null> {
  try {
    return await store.write(authority, async (tx) =>
      once(tx, (): SessionView => {
        throw new IsFirst();
      }),
    );
  } catch (error) {
    if (error instanceof IsFirst) return null;
    throw error;
  }
}

async function order(
  trust: CheckoutContext,
  principal: Principal,
  { usd_cents, target, ui = 'hosted' }: Topup,
  once: Once,
): Promise<SessionView> {
  const { store, ids, policy } = trust;
  const processor = await requireProcessor(trust);
  const { operatorId, operatorSeq } = principal;
  const centsPerCredit = target === 'credits' ? policy.centsPerCredit : 1;
  if (usd_cents < centsPerCredit) {
    throw commonErrors.validation_error({
      issues: { usd_cents: [`must be at least ${centsPerCredit}, the price of a credit in US cents`] },
    });
  }
  const customerId = await store.read(async (snapshot) => {
    await requireMayPayIn(snapshot, operatorSeq);
    return customerOfOperator(snapshot, operatorId);
  });
  const ordered: CheckoutOrder = {
    checkoutId: ids.newId('chk_'),
    operatorId,
    purpose: target,
    usdCents: usd_cents,
    email: null,
    ui,
    customerId,
  };
  const session = await processor.createCheckout(ordered);
  return store.write(principal.authority, (tx) =>
    once(tx, async () => {
      await requireMayPayIn(tx, operatorSeq);
      await insertCheckout(tx, checkoutRowOf(trust, ordered, session, null));
      return sessionView(session);
    }),
  );
}

/** @throws ApiError forbidden unless the account is active, or suspended only because of a debt */
async function requireMayPayIn(snapshot: Snapshot, operatorSeq: number): Promise<void> {
  const operator = await operatorBySeq(snapshot, operatorSeq);
  if (operator?.accountStatus === 'ACTIVE') return;
  if (operator?.accountStatus === 'SUSPENDED' && (await isSuspendedByRefund(snapshot, operatorSeq))) return;
  throw commonErrors.forbidden({
    message: `The account is ${operator?.accountStatus ?? 'CLOSED'}. Ask the administrator of the service.`,
  });
}
