import { commonErrors } from '../http/errors.ts';
import type { PaymentProcessor } from './processor/processor.ts';

/** Returns the payment processor. @throws ApiError not_configured with the settings to set */
export async function requireProcessor(trust: {
  processor: () => Promise<PaymentProcessor | null>;
}): Promise<PaymentProcessor> {
  const processor = await trust.processor();
  if (processor !== null) return processor;
  throw commonErrors.not_configured({
    message:
      'The service has no payment processor. Its administrator can set billing.stripe.secret_key and billing.stripe.webhook_secret, or for ' +
      'a trial without money billing.processor=sandbox.',
    isExpected: true,
  });
}
