import { Failure } from '../../../platform/failure.ts';
import type { Store } from '../../../platform/store/store.ts';
import { hasSandboxPayment } from '../payment-store.ts';

/**
 * Refuses to take real money in a data directory in which sandbox money was booked: its operators have credits that nobody paid for.
 * @throws Failure (exit code 2)
 */
export async function refuseSandboxBookings(store: Store): Promise<void> {
  if (!(await store.read(hasSandboxPayment))) return;
  throw new Failure(
    'billing.stripe.secret_key is a live key, but the data directory has bookings of sandbox payments',
    'start with a new data directory to take real payments, or use a test key here',
    2,
  );
}
