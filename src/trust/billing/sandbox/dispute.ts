import { commonErrors } from '../../http/errors.ts';
import { disputeCreated } from './events.ts';
import { change, type SandboxParts } from './session.ts';
import { changeSession, type PaymentRow } from './store.ts';

/**
 * Disputes a payment, as the holder of its card does at the bank. A second time, it is the same dispute.
 * @param chargeId of the payment; empty for the only one of the session
 */
export function dispute(parts: SandboxParts, sessionId: string, chargeId: string): Promise<void> {
  return change(parts, sessionId, async (tx, { session, payments }, now) => {
    const payment = paymentOfCharge(payments, chargeId);
    await changeSession(tx, { ...session, changedAt: now });
    return [disputeCreated(payment, now)];
  });
}

/**
 * Returns the payment of a charge.
 * @param chargeId empty for the only payment
 * @throws ApiError not_found
 */
export function paymentOfCharge(payments: readonly PaymentRow[], chargeId: string): PaymentRow {
  const only = chargeId === '' && payments.length === 1 ? payments[0] : undefined;
  const payment = only ?? payments.find((one) => one.chargeId === chargeId);
  if (payment === undefined) throw commonErrors.not_found();
  return payment;
}
