import { invoicePaid, sessionCompleted } from './events.ts';
import { payIn, paymentIds } from './payment.ts';
import { change, requireOpen, type SandboxParts } from './session.ts';
import { changeSession, type SessionRow } from './store.ts';

/** Pays an open session. */
export function pay(parts: SandboxParts, sessionId: string): Promise<void> {
  const ids = paymentIds(parts.ids);
  return change(parts, sessionId, async (tx, { session }, now) => {
    requireOpen(session, now);
    const payment = await payIn(tx, session, ids, now);
    const paid: SessionRow = { ...session, status: 'paid', changedAt: now };
    await changeSession(tx, paid);
    const completed = sessionCompleted(paid, payment);
    return session.subscriptionId === null ? [completed] : [completed, invoicePaid(paid, payment, true)];
  });
}
