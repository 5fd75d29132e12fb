import { commonErrors } from '../../http/errors.ts';
import { invoicePaid } from './events.ts';
import { payIn, paymentIds } from './payment.ts';
import { change, requireActive, type SandboxParts } from './session.ts';
import { changeSession } from './store.ts';

/** Most payments of a subscription. */
export const MAX_PAYMENTS = 24;

/** Pays the next month of a subscription. */
export function renew(parts: SandboxParts, sessionId: string): Promise<void> {
  const ids = paymentIds(parts.ids);
  return change(parts, sessionId, async (tx, { session, payments }, now) => {
    requireActive(session);
    if (session.cancelsAtEnd) {
      throw commonErrors.invalid_state({
        message: 'This subscription ends with its month. Renew it in the portal first.',
      });
    }
    if (payments.length >= MAX_PAYMENTS) {
      throw commonErrors.invalid_state({
        message: `The sandbox renews a subscription up to ${MAX_PAYMENTS - 1} times. Start a new one.`,
      });
    }
    const payment = await payIn(tx, session, ids, now);
    await changeSession(tx, { ...session, changedAt: now });
    return [invoicePaid(session, payment, false)];
  });
}
