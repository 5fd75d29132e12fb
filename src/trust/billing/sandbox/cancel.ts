import { subscriptionDeleted } from './events.ts';
import { change, requireActive, type SandboxParts } from './session.ts';
import { changeSession } from './store.ts';

/** Cancels a subscription. */
export function cancel(parts: SandboxParts, sessionId: string): Promise<void> {
  return change(parts, sessionId, async (tx, { session }, now) => {
    requireActive(session);
    await changeSession(tx, { ...session, canceledAt: now, changedAt: now });
    return [subscriptionDeleted(session, now)];
  });
}
