import { commonErrors } from '../../http/errors.ts';
import { cancel } from './cancel.ts';
import { cardAttached, subscriptionUpdated } from './events.ts';
import { renew } from './renew.ts';
import { change, requireActive, type SandboxParts } from './session.ts';
import { changeSubscription, type SessionRow, sessionOfSubscription, subscriptionsOf } from './store.ts';

/** The actions of the portal's forms. */
export type PortalAction = 'cancel' | 'renew' | 'end' | 'card';

/** Returns the subscriptions of a customer, newest first. */
export function portalOf({ store }: Pick<SandboxParts, 'store'>, customerId: string): Promise<SessionRow[]> {
  return store.read((snapshot) => subscriptionsOf(snapshot, customerId));
}

/**
 * Performs an action of a customer on one of its subscriptions: lets it end with its month, renews it, ends
 * the month, or changes the card that pays it.
 * @throws ApiError not_found for a subscription of another customer; invalid_state; validation_error
 */
export async function act(
  parts: SandboxParts,
  customerId: string,
  { action, subscription, card }: { action: PortalAction; subscription: string; card: string },
): Promise<void> {
  const session = await parts.store.read((snapshot) => sessionOfSubscription(snapshot, subscription));
  if (session === null || session.customerId !== customerId) throw commonErrors.not_found();
  switch (action) {
    case 'cancel':
    case 'renew':
      return setEnding(parts, session.sessionId, action === 'cancel');
    case 'end':
      return session.cancelsAtEnd ? cancel(parts, session.sessionId) : renew(parts, session.sessionId);
    case 'card':
      return setCard(parts, session.sessionId, card);
  }
}

function setEnding(parts: SandboxParts, sessionId: string, cancelsAtEnd: boolean): Promise<void> {
  return change(parts, sessionId, async (tx, { session, payments }, now) => {
    requireActive(session);
    if (session.cancelsAtEnd === cancelsAtEnd) return [];
    const changed: SessionRow = { ...session, cancelsAtEnd, changedAt: now };
    await changeSubscription(tx, changed);
    return [subscriptionUpdated(changed, payments.at(-1)?.createdAt ?? session.createdAt)];
  });
}

/** Of the number of a card, only the last four digits are stored. */
function setCard(parts: SandboxParts, sessionId: string, card: string): Promise<void> {
  const digits = card.replaceAll(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(digits))
    throw commonErrors.validation_error({ issues: { card: ['must be the 12 to 19 digits of a card'] } });
  return change(parts, sessionId, async (tx, { session }, now) => {
    requireActive(session);
    const changed: SessionRow = { ...session, cardLast4: digits.slice(-4), changedAt: now };
    await changeSubscription(tx, changed);
    return [cardAttached(changed, now)];
  });
}
