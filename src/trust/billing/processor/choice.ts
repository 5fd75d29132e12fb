import type { Config } from '../../../platform/config/setting.ts';
import { Failure } from '../../../platform/failure.ts';
import { processorSettings } from './settings.ts';

/** The account at Stripe that takes payments. */
export interface StripeAccount {
  name: 'stripe';
  secretKey: string;
  webhookSecret: string;
  apiBase: URL;
  /** The payment methods for top-ups. */
  paymentMethods: readonly string[];
  /** True for a key that takes real money. */
  isLive: boolean;
}

/** The payment processor that the settings choose; null for none. */
export type ProcessorChoice = StripeAccount | { name: 'sandbox' } | null;

/**
 * Returns the payment processor of the settings.
 * @throws Failure (exit code 2) for settings that contradict each other or are incomplete
 */
export function processorChoiceOf(config: Config): ProcessorChoice {
  const { processor, stripeSecretKey, stripeWebhookSecret, stripeApiBase, stripePaymentMethods } =
    processorSettings;
  const chosen = processor.in(config);
  const secretKey = stripeSecretKey.in(config);
  const webhookSecret = stripeWebhookSecret.in(config);
  if (chosen === 'sandbox') {
    if (secretKey === null) return { name: 'sandbox' };
    throw new Failure(
      'billing.processor is sandbox, but billing.stripe.secret_key is set too',
      'unset billing.processor to take payments with Stripe, or unset the key to try the sandbox',
      2,
    );
  }
  if (chosen === null && secretKey === null && webhookSecret === null) return null;
  if (secretKey === null)
    throw missing(stripeSecretKey.key, 'copy it from the API keys in the dashboard of Stripe');
  if (webhookSecret === null) {
    throw missing(
      stripeWebhookSecret.key,
      'without it, payments could not be booked: copy it from the webhook endpoint in the dashboard of Stripe, or from stripe listen',
    );
  }
  return {
    name: 'stripe',
    secretKey,
    webhookSecret,
    apiBase: stripeApiBase.in(config),
    paymentMethods: stripePaymentMethods.in(config).split(','),
    isLive: /^[rs]k_live_/.test(secretKey),
  };
}

function missing(key: string, hint: string): Failure {
  return new Failure(`payments with Stripe need ${key}, which is not set`, hint, 2);
}
