import { paymentFailed, sessionCompleted } from './events.ts';
import { change, requireOpen, type SandboxParts } from './session.ts';
import { changeSession, type SessionRow } from './store.ts';

/**
 * Ends an open session without a payment: the session completes unpaid, and then the payment fails, as with a
 * delayed payment method.
 */
export function fail(parts: SandboxParts, sessionId: string): Promise<void> {
  return change(parts, sessionId, async (tx, { session }, now) => {
    requireOpen(session, now);
    const failed: SessionRow = { ...session, status: 'failed', changedAt: now };
    await changeSession(tx, failed);
    return [sessionCompleted(failed, null), paymentFailed(failed)];
  });
}
