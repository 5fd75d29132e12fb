import type { CheckoutPurpose } from './processor.ts';

const PRODUCT_NAMES: Readonly<Record<CheckoutPurpose, string>> = {
  subscription: 'Countersign Pro, 10,000 credits a month',
  credits: 'Countersign credits',
  stake: 'Countersign stake',
};

/** Returns what people read in the checkout. */
export function productNameOf(purpose: string): string {
  return Object.entries(PRODUCT_NAMES).find(([known]) => known === purpose)?.[1] ?? purpose;
}

/**
 * Returns the page of the service to which a processor sends people after the payment.
 * @param url of the service
 */
export function returnUrl(url: string, purpose: string, sessionId: string): string {
  return purpose === 'subscription'
    ? `${url}/billing/done?session_id=${sessionId}`
    : `${url}/account/billing?back`;
}

/**
 * Returns the page of the service to which a processor sends people who leave without paying.
 * @param url of the service
 */
export function cancelUrl(url: string, purpose: string): string {
  return purpose === 'subscription' ? `${url}/billing/cancelled` : `${url}/account/billing`;
}
