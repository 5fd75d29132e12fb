import type { CheckoutPurpose } from './processor.ts';

const PRODUCT_NAMES: Readonly<Record<CheckoutPurpose, string>> = {
  subscription: 'Countersign Pro, 10,000 credits a month',
  credits: 'Countersign credits',
  stake: 'Countersign stake',
};

/** Returns the name of a product in the checkout. */
export function productNameOf(purpose: string): string {
  return Object.entries(PRODUCT_NAMES).find(([known]) => known === purpose)?.[1] ?? purpose;
}

/**
 * Returns the page of the service to which a processor redirects after the payment.
 * @param url of the service
 */
export function returnUrl(url: string, purpose: string, sessionId: string): string {
  return purpose === 'subscription'
    ? `${url}/billing/done?session_id=${sessionId}`
    : `${url}/account/billing?back`;
}

/** Returns the page to which the portal of a processor leads back. @param url of the service */
export const portalReturnUrl = (url: string): string => `${url}/account/billing`;

/**
 * Returns the page of the service to which a processor redirects people who do not pay.
 * @param url of the service
 */
export function cancelUrl(url: string, purpose: string): string {
  return purpose === 'subscription' ? `${url}/billing/cancelled` : `${url}/account/billing`;
}
