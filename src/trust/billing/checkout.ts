import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Once } from '../../platform/http/idempotency/once.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { CreditsPolicy } from '../ledger/credits/settings.ts';
import type { Principal } from '../operators/auth/principals.ts';
import { newOperatorId } from '../operators/create-operator.ts';
import { SignerAuthority } from '../operators/quotas/authorities.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { operatorBySeq } from '../operators/status.ts';
import { SUBSCRIPTION_CENTS } from './amounts.ts';
import {
  countOpenCheckouts,
  customerOfOperator,
  deleteEndedOfStranger,
  hasEndedOfStranger,
  insertCheckout,
} from './checkout-store.ts';
import { isSuspendedByRefund } from './payment-store.ts';
import type { CheckoutOrder, CheckoutSession, PaymentProcessor } from './processor/processor.ts';
import { requireProcessor } from './require-processor.ts';
import { UnderWay } from './under-way.ts';

/** The parts of the service that orders use. */
export type CheckoutContext = {
  store: Store;
  clock: Clock;
  ids: Ids;
  quotas: Quotas;
  policy: CreditsPolicy;
  processor: () => Promise<PaymentProcessor | null>;
};

/** The orders of strangers that are stored at once and not paid. */
export const MAX_OPEN_CHECKOUTS = 10_000;

/** How long after its end an order is surely not replaced: its payment may be on the way. */
const LATE_MS = 15 * 60 * 1000;

/** The seconds that a stranger should wait while there are too many open orders. */
const RETRY_AFTER_S = '600';
/** The seconds that an operator should wait while its orders wait for the processor. */
const WAIT_S = '5';

type Ui = 'hosted' | 'embedded';

/**
 * Orders the Pro subscription for a new operator. The session exists at the processor before the order is stored, so an order is never
 * stored for a session that does not exist. The operator is created by its first payment.
 * @throws ApiError not_configured, processor_unavailable, validation_error, overloaded with too many open orders
 */
export async function startCheckout(
  trust: CheckoutContext,
  { email = null, ui = 'hosted' }: { email?: string | null; ui?: Ui },
) {
  const { store, ids } = trust;
  const processor = await requireProcessor(trust);
  await store.read((snapshot) => requireRoomIn(snapshot, trust, hasEndedOfStranger));
  const claimToken = ids.newSecret('claim_');
  const order: CheckoutOrder = {
    checkoutId: ids.newId('chk_'),
    operatorId: newOperatorId(ids),
    purpose: 'subscription',
    usdCents: SUBSCRIPTION_CENTS,
    email,
    ui,
    customerId: null,
  };
  const session = await UnderWay.of(store).ofStranger(() => processor.createCheckout(order), tooMany);
  await store.write(new SignerAuthority(trust.quotas, null), async (tx) => {
    await requireRoomIn(tx, trust, deleteEndedOfStranger);
    await insertCheckout(tx, rowOf(trust, order, session, sha256Hex(claimToken)));
  });
  return {
    response: { ...shown(session), claim_token: claimToken },
    claimToken,
    expiresAt: session.expiresAt,
  };
}

/** What is ordered by an operator. */
interface Topup {
  usd_cents: number;
  target: 'credits' | 'stake';
  ui?: Ui;
}

/**
 * Orders credits or stake for the caller's operator. An operator that a refund suspended can order too, to pay what it owes. The orders of
 * an operator follow each other, so that a repeated request finds the session of the first one and opens no other at the processor.
 * @throws ApiError not_configured, processor_unavailable, forbidden; validation_error for less than a credit costs; overloaded with too many
 * orders that wait
 */
export async function startTopup(
  trust: CheckoutContext,
  principal: Principal,
  topup: Topup,
  once: Once,
): Promise<Shown> {
  if (principal.role !== 'issuer')
    throw commonErrors.forbidden({ message: 'A holder key cannot order credits. Use an issuer key.' });
  return UnderWay.of(trust.store).ofOperator(
    principal.operatorSeq,
    async () => (await firstAnswer(trust, principal, once)) ?? order(trust, principal, topup, once),
    () =>
      commonErrors.overloaded({
        message:
          'Too many orders of this operator wait for the payment processor. Repeat the request after the seconds in the Retry-After header.',
        headers: { 'retry-after': WAIT_S },
      }),
  );
}

/** Thrown by a transaction that finds no answer to repeat. */
class IsFirst extends Error {}

/**
 * Returns the answer to a request that was answered before. Counts the request against the quota, so that none that is refused costs a
 * request to the processor.
 */
async function firstAnswer(
  { store }: CheckoutContext,
  { authority }: Principal,
  once: Once,
): Promise<Shown | null> {
  try {
    return await store.write(authority, async (tx) =>
      once(tx, (): Shown => {
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
): Promise<Shown> {
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
      await insertCheckout(tx, rowOf(trust, ordered, session, null));
      return shown(session);
    }),
  );
}

function rowOf(
  { clock }: Pick<CheckoutContext, 'clock'>,
  { checkoutId, operatorId, purpose, usdCents, customerId }: CheckoutOrder,
  session: CheckoutSession,
  claimHash: string | null,
) {
  return {
    checkoutId,
    sessionId: session.sessionId,
    operatorId,
    purpose,
    usdCents,
    customerId: session.customerId ?? customerId,
    claimHash,
    createdAt: clock.now(),
    expiresAt: session.expiresAt,
  };
}

/** What a client gets of a session. */
interface Shown {
  url?: string;
  clientSecret?: string;
  session_id: string;
}

function shown({ url, clientSecret, sessionId }: CheckoutSession): Shown {
  return {
    ...(url === null ? {} : { url }),
    ...(clientSecret === null ? {} : { clientSecret }),
    session_id: sessionId,
  };
}

/**
 * With too many orders, a new one replaces one that ended unpaid, so that nobody can keep others from ordering by orders of last week.
 * @param replace deletes such an order, or says that there is one @throws ApiError overloaded if none has ended
 */
async function requireRoomIn<Read extends Snapshot>(
  snapshot: Read,
  { clock }: Pick<CheckoutContext, 'clock'>,
  replace: (snapshot: Read, endedBefore: number) => Promise<boolean>,
): Promise<void> {
  if ((await countOpenCheckouts(snapshot)) < MAX_OPEN_CHECKOUTS) return;
  if (!(await replace(snapshot, clock.now() - LATE_MS))) throw tooMany();
}

function tooMany() {
  return commonErrors.overloaded({
    message: 'Too many checkouts are open. Repeat the request after the seconds in the Retry-After header.',
    headers: { 'retry-after': RETRY_AFTER_S },
  });
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
