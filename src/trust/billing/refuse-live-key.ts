import { Failure } from '../../platform/failure.ts';
import type { Store } from '../../platform/store/store.ts';
import { hasSandboxPayment } from './payment-store.ts';
import type { ProcessorChoice } from './processor/choice.ts';

/**
 * Refuses a live key of Stripe for a database with payments of sandbox money: they would look like real ones
 * to anyone who reads it.
 * @throws Failure
 */
export async function refuseSandboxBookings(
  store: Pick<Store, 'read'>,
  choice: ProcessorChoice,
): Promise<void> {
  if (choice?.name !== 'stripe' || !choice.isLive || !(await store.read(hasSandboxPayment))) return;
  throw new Failure(
    'billing.stripe.secret_key is a live key, but the data directory has payments of sandbox money',
    'start with an empty data directory (--data), or use a test key',
    2,
  );
}
