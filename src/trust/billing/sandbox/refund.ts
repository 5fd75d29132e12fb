import { commonErrors } from '../../http/errors.ts';
import { dollars } from '../dollar-text.ts';
import { paymentOfCharge } from './dispute.ts';
import { chargeRefunded } from './events.ts';
import { change, type SandboxParts } from './session.ts';
import { changeSession, setRefunded } from './store.ts';

/**
 * Refunds a part of a payment.
 * @param chargeId of the payment; empty for the only one of the session
 * @param usdCents null for the whole rest
 */
export function refund(
  parts: SandboxParts,
  sessionId: string,
  chargeId: string,
  usdCents: number | null,
): Promise<void> {
  return change(parts, sessionId, async (tx, { session, payments }, now) => {
    const payment = paymentOfCharge(payments, chargeId);
    const left = payment.usdCents - payment.refundedCents;
    const amount = usdCents ?? left;
    if (amount < 1 || amount > left) {
      throw commonErrors.invalid_state({
        message: `Of this payment, ${dollars(left)} are not refunded yet. Refund at least $0.01 and at most that.`,
      });
    }
    const refundedCents = payment.refundedCents + amount;
    await setRefunded(tx, { paymentSeq: payment.paymentSeq, refundedCents });
    await changeSession(tx, { ...session, changedAt: now });
    return [chargeRefunded(session, { ...payment, refundedCents })];
  });
}
