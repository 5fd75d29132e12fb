import type { Asset } from '../ledger/accounts.ts';
import type { CheckoutPurpose } from './processor/processor.ts';

/** The price of the Pro subscription for a month, in US cents. */
export const SUBSCRIPTION_CENTS = 4900;
/** The credits of each paid month: paid ones up to what was paid for them, the rest promotional. */
export const SUBSCRIPTION_CREDITS = 10_000;

/** What a payment gives: an amount of an asset, and with a subscription promotional credits. */
export interface Booking {
  asset: Asset;
  amount: number;
  promotional: number;
}

/** A payment whose amount says what it gives. */
interface Paid {
  purpose: CheckoutPurpose;
  usdCents: number;
  centsPerCredit: number;
}

/**
 * Returns what a payment gives. Sandbox money gives sandbox credits, or sandbox cents for a stake, and
 * nothing else.
 * @returns null if it gives nothing
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
 * Returns what of a booked payment belongs to the refunded part of it: of its asset all that the rest of the
 * money would not have given, of the promotional credits the share of the refund. It depends only on the sum
 * of the refunds, so that their order and number do not matter.
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
  // The sandbox credits of a subscription are not what was paid for, so they are refunded by their share.
  if (purpose === 'subscription' && asset === 'sandbox') return { amount: share(amount), promotional: 0 };
  const left = usdCents - refundedCents;
  const kept = purpose === 'stake' ? left : Math.min(amount, Math.floor(left / centsPerCredit));
  return { amount: amount - kept, promotional: share(promotional) };
}
