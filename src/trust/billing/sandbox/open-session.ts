import { billingErrors } from '../errors.ts';
import type { CheckoutOrder } from '../processor/processor.ts';
import { customerCreated } from './events.ts';
import { emitIn, type SandboxParts } from './session.ts';
import {
  countSessions,
  deleteOldestEnded,
  insertSession,
  type SessionRow,
  sessionByCheckout,
} from './store.ts';

/**
 * The most stored sessions. Anyone can create one. Unpaid ones are deleted soon after they expire, and a new
 * one replaces the oldest one that ended.
 */
export const MAX_SESSIONS = 10_000;

/** The time in which a session can be paid: an hour, as the service has it at Stripe. */
const OPEN_MS = 60 * 60 * 1000;

/**
 * Creates the session of an order, or returns the existing one.
 * @throws ApiError processor_unavailable if too many are stored
 */
export async function openSession(
  { store, clock, ids }: SandboxParts,
  order: CheckoutOrder,
): Promise<SessionRow> {
  const { checkoutId, operatorId, purpose, usdCents, ui } = order;
  // The id is the right to use the page of the session, so it is a secret.
  const sessionId = ids.newSecret('cs_sandbox_');
  const customerId = ids.newText('cus_sandbox_', 24);
  const subscriptionId = ids.newText('sub_sandbox_', 24);
  const eventId = ids.newText('evt_sandbox_', 24);
  return store.writeAsService(async (tx) => {
    const known = await sessionByCheckout(tx, checkoutId);
    if (known !== null) return known;
    if ((await countSessions(tx)) >= MAX_SESSIONS && !(await deleteOldestEnded(tx))) {
      throw billingErrors.processor_unavailable({
        message: `${MAX_SESSIONS} checkout sessions of the sandbox are open, which is its limit. Unpaid ones are deleted two hours after they are made.`,
        headers: { 'retry-after': '3600' },
      });
    }
    const now = clock.now();
    const session = await insertSession(tx, {
      sessionId,
      checkoutId,
      operatorId,
      purpose,
      usdCents,
      customerId: order.customerId ?? customerId,
      subscriptionId: purpose === 'subscription' ? subscriptionId : null,
      embedded: ui === 'embedded',
      createdAt: now,
      expiresAt: now + OPEN_MS,
      changedAt: now,
    });
    if (order.customerId === null)
      await emitIn(tx, store, session, [[eventId, customerCreated(session)]], now);
    return session;
  });
}
