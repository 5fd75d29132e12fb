import type { Stripe } from 'stripe';
import type { CHECKOUT_PURPOSES } from '../../../../db/trust/billing-enums.ts';

/** The purpose of a payment. */
export type CheckoutPurpose = (typeof CHECKOUT_PURPOSES)[number];

/** An order that the service passes to the payment processor. */
export interface CheckoutOrder {
  /** `chk_…`, which makes repeated requests to the processor idempotent. */
  checkoutId: string;
  /** The operator that pays, or that the payment creates. */
  operatorId: string;
  purpose: CheckoutPurpose;
  usdCents: number;
  /** The address for the receipts of the processor. The service does not store it. */
  email: string | null;
  ui: 'hosted' | 'embedded';
  /** The customer of an earlier order of this operator; null for the first one. */
  customerId: string | null;
}

/** A session of the processor in which somebody pays an order. */
export interface CheckoutSession {
  sessionId: string;
  customerId: string | null;
  /** The page of the session; null for an embedded one. */
  url: string | null;
  /** The secret for the embedded page; null for a hosted one. */
  clientSecret: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/**
 * The names of the metadata that the service gives to customers, sessions, subscriptions and payments.
 * Metadata can be changed in the dashboard of the processor: it finds an order, and never says what was paid.
 */
export const METADATA = {
  operator: 'countersign_operator',
  checkout: 'countersign_checkout',
  purpose: 'countersign_purpose',
} as const;

/** A payment processor: Stripe, or the built-in sandbox. Both send the same events. */
export interface PaymentProcessor {
  readonly name: 'stripe' | 'sandbox';
  /** True if no real money is paid: the sandbox processor, and Stripe with a test key. */
  readonly sandbox: boolean;
  /**
   * Creates a session for an order, which can be paid for an hour. A repeated request creates no second one.
   * @throws ApiError processor_unavailable when the processor does not respond or refuses, validation_error
   * for a refused email address
   */
  createCheckout(order: CheckoutOrder): Promise<CheckoutSession>;
  /**
   * Verifies the signature of an event and returns it. The signature is at most 300 s old, and at most 300 s
   * ahead of the service's clock.
   * @throws ApiError invalid_proof for a wrong signature, validation_error for a signed body that is no event
   */
  eventOf(rawBody: Uint8Array, signatureHeader: string | null): Promise<Stripe.Event>;
  /**
   * Returns the payment intent that paid an invoice, which refunds of the invoice name; null if unpaid.
   * @throws ApiError processor_unavailable
   */
  paymentIntentOfInvoice(invoiceId: string): Promise<string | null>;
  /**
   * Returns the invoice that a payment intent paid; null if it paid none.
   * @throws ApiError processor_unavailable
   */
  invoiceOfPaymentIntent(paymentIntent: string): Promise<string | null>;
  /**
   * Ends a subscription at once, without a refund.
   * @returns whether it has ended, now or before; false for one that the processor does not know
   * @throws ApiError processor_unavailable
   */
  endSubscription(subscriptionId: string): Promise<boolean>;
  /**
   * Opens the processor's page on which a customer cancels or renews a subscription and changes its card.
   * @returns its URL; null for a customer that the processor does not know
   * @throws ApiError processor_unavailable
   */
  openPortal(customerId: string): Promise<string | null>;
}
