export const CHECKOUT_PURPOSES = ['subscription', 'credits', 'stake'] as const;
export const CHECKOUT_STATUSES = ['open', 'paid', 'claimed'] as const;
/**
 * Why the processor was paid and nothing was booked: another currency than US dollars, no or too small an
 * amount, no order or customer of this installation, a payment intent that was booked for another order, an
 * invoice that is not for a cycle of a subscription, a closed account, a balance that would exceed 2^53 − 1.
 */
export const UNBOOKED_REASONS = [
  'currency',
  'amount',
  'unknown_order',
  'unknown_customer',
  'booked_intent',
  'other_invoice',
  'account_closed',
  'balance_limit',
] as const;
/** What a movement of a payment is: its booking, a refund, the debt of a refund, what covers a debt. */
export const PAYMENT_ROLES = ['payment', 'refund', 'debt', 'cover'] as const;
