import { sha256Hex } from '../../platform/crypto/crypto.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { commonErrors } from '../http/errors.ts';
import { newOperatorId } from '../operators/create-operator.ts';
import { SignerAuthority } from '../operators/quotas/authorities.ts';
import { SUBSCRIPTION_CENTS } from './booking.ts';
import { type CheckoutContext, checkoutRowOf, sessionView, type Ui } from './checkout.ts';
import { CheckoutQueue } from './checkout-queue.ts';
import {
  countOpenCheckouts,
  deleteEndedOfStranger,
  hasEndedOfStranger,
  insertCheckout,
} from './checkout-store.ts';
import type { CheckoutOrder } from './processor/processor.ts';
import { requireProcessor } from './require-processor.ts';

/** The most unpaid orders of strangers that are stored at once. */
export const MAX_OPEN_CHECKOUTS = 10_000;

/** The time after its end before an order can be replaced: its payment may still arrive. */
const LATE_MS = 15 * 60 * 1000;

/** The seconds that a stranger should wait while there are too many open orders. */
const RETRY_AFTER_S = '600';

/**
 * Orders the Pro subscription for a new operator, which the first payment creates. The order is stored after
 * the processor has created its session, so that no order is without a session.
 * @throws ApiError not_configured, processor_unavailable, validation_error; overloaded by open orders
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
  const session = await CheckoutQueue.of(store).ofStranger(() => processor.createCheckout(order), tooMany);
  await store.write(new SignerAuthority(trust.quotas, null), async (tx) => {
    await requireRoomIn(tx, trust, deleteEndedOfStranger);
    await insertCheckout(tx, checkoutRowOf(trust, order, session, sha256Hex(claimToken)));
  });
  return {
    response: { ...sessionView(session), claim_token: claimToken },
    claimToken,
    expiresAt: session.expiresAt,
  };
}

/**
 * Requires room for a new order. With too many orders, it replaces one that ended unpaid, so that nobody can
 * block new orders with old ones.
 * @param replace deletes an order that ended unpaid, or returns whether there is one
 * @throws ApiError overloaded if none has ended
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
