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
/**
 * What a movement of a payment is: its booking, a refund or a lost dispute, the debt of one, what covers a
 * debt, and what came back because a refund failed or a dispute was won.
 */
export const PAYMENT_ROLES = ['payment', 'refund', 'debt', 'cover', 'reversal'] as const;
/** What the processor reports about a payment after it was made. */
export const REPORT_KINDS = ['dispute', 'warning', 'refund', 'stablecoin'] as const;
/** The states of a dispute or a warning, and of a refund or a stablecoin payment; a later one wins a tie. */
export const REPORT_STATUSES = ['open', 'lost', 'released', 'made', 'failed'] as const;
/** Whether the processor took the disputed money; a later one wins a tie. */
export const REPORT_MONEY = ['none', 'gone', 'back'] as const;
/** What an entry of an operator's payments is about. */
export const PAYMENT_KINDS = [
  'topup',
  'subscription',
  'settlement',
  'refund',
  'chargeback',
  'debt',
  'debt_payment',
  'dispute',
  'warning',
] as const;
/** The states of entries. Each kind has some of them. */
export const PAYMENT_STATUSES = [
  'paid',
  'partly_refunded',
  'refunded',
  'made',
  'reversed',
  'owed',
  'open',
  'lost',
  'released',
] as const;
