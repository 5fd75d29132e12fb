import type { Asset } from '../ledger/accounts.ts';
import type { CheckoutPurpose } from './processor/processor.ts';

/** The price of the Pro subscription for a month, in US cents. */
export const SUBSCRIPTION_CENTS = 4900;
/** The credits of each paid month: paid ones up to what was paid for them, the rest promotional. */
export const SUBSCRIPTION_CREDITS = 10_000;

/** The booking of a payment: an amount of an asset, and with a subscription promotional credits. */
export interface Booking {
  asset: Asset;
  amount: number;
  promotional: number;
}

/** A payment with the values that determine its booking. */
interface Paid {
  purpose: CheckoutPurpose;
  usdCents: number;
  centsPerCredit: number;
}

/**
 * Returns the booking of a payment. Sandbox money buys only sandbox credits, or sandbox cents for a stake.
 * @returns null if the amount buys nothing
 */
export function bookingOf({ purpose, usdCents, centsPerCredit }: Paid, sandbox: boolean): Booking | null {
  const credits = Math.floor(usdCents / centsPerCredit);
  if (purpose === 'subscription') {
    if (sandbox) return { asset: 'sandbox', amount: SUBSCRIPTION_CREDITS, promotional: 0 };
    const paid = Math.min(SUBSCRIPTION_CREDITS, credits);
    return { asset: 'paid', amount: paid, promotional: SUBSCRIPTION_CREDITS - paid };
  }
  if (purpose === 'stake') {
    if (usdCents < 1) return null;
    return { asset: sandbox ? 'sandbox_cents' : 'cents', amount: usdCents, promotional: 0 };
  }
  return credits < 1 ? null : { asset: sandbox ? 'sandbox' : 'paid', amount: credits, promotional: 0 };
}

/** A payment as it was booked. */
interface Booked extends Paid, Booking {}

/**
 * Returns the part of a booked payment that refunds take back. Of its asset, it is everything that the rest
 * of the money does not buy; of the promotional credits, it is the share of the refund. It depends only on
 * the sum of the refunds, so that their order and number do not matter.
 * @param refundedCents the sum of all refunds, at most `usdCents`
 */
export function refundedPart(
  payment: Booked,
  refundedCents: number,
): { amount: number; promotional: number } {
  const { purpose, usdCents, centsPerCredit, amount, promotional, asset } = payment;
  if (refundedCents === 0) return { amount: 0, promotional: 0 };
  if (refundedCents >= usdCents) return { amount, promotional };
  const share = (whole: number): number => Number((BigInt(whole) * BigInt(refundedCents)) / BigInt(usdCents));
  // The sandbox credits of a subscription have no price, so they are refunded by their share.
  if (purpose === 'subscription' && asset === 'sandbox') return { amount: share(amount), promotional: 0 };
  const leftCents = usdCents - refundedCents;
  const leftAmount =
    purpose === 'stake' ? leftCents : Math.min(amount, Math.floor(leftCents / centsPerCredit));
  return { amount: amount - leftAmount, promotional: share(promotional) };
}
