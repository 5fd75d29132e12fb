import { ApiError } from '../../platform/http/errors/errors.ts';
import type { Store } from '../../platform/store/store.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principal } from '../operators/auth/authenticate.ts';
import { CheckoutQueue } from './checkout-queue.ts';
import { customerOfOperator, customerOfSubscription } from './checkout-store.ts';
import { billingErrors } from './errors.ts';
import type { PaymentProcessor } from './processor/processor.ts';
import { requireProcessor } from './require-processor.ts';

/** The parts of the service that the portal uses. */
export type PortalContext = { store: Store; processor: () => Promise<PaymentProcessor | null> };

/** The seconds that an operator should wait while its requests wait for the processor. */
const WAIT_S = '5';

/**
 * Opens the page of the processor on which an operator cancels or renews its subscription and changes its
 * card. A suspended operator can open it too: it may end what it pays.
 * @throws ApiError forbidden; invalid_state for an operator that ordered nothing by this processor;
 * not_configured, processor_unavailable; overloaded by waiting requests
 */
export async function openBillingPortal(
  trust: PortalContext,
  principal: Principal,
): Promise<{ url: string }> {
  if (principal.role !== 'issuer')
    throw commonErrors.forbidden({ message: 'A holder key cannot manage payments. Use an issuer key.' });
  const processor = await requireProcessor(trust);
  const customerId = await trust.store.read((snapshot) => customerOf(snapshot, principal));
  if (customerId === null) throw neverOrdered();
  // Counts the request against the quota.
  await trust.store.write(principal.authority, async () => undefined);
  const url = await CheckoutQueue.of(trust.store).ofOperator(
    principal.operatorSeq,
    () => opened(processor, customerId),
    () =>
      commonErrors.overloaded({
        message:
          'Too many requests of this operator wait for the payment processor. Repeat the request after the seconds in the Retry-After header.',
        headers: { 'retry-after': WAIT_S },
      }),
  );
  if (url === null) throw neverOrdered();
  return { url };
}

/** Returns the customer with the newest subscription of an operator, else its newest one; null for none. */
export async function customerOf(
  snapshot: Parameters<typeof customerOfOperator>[0],
  { operatorSeq, operatorId }: { operatorSeq: number; operatorId: string },
): Promise<string | null> {
  return (
    (await customerOfSubscription(snapshot, operatorSeq)) ?? (await customerOfOperator(snapshot, operatorId))
  );
}

/** @throws ApiError processor_unavailable, in words about the portal */
async function opened(processor: PaymentProcessor, customerId: string): Promise<string | null> {
  try {
    return await processor.openPortal(customerId);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'processor_unavailable')) throw error;
    throw billingErrors.processor_unavailable({
      ...error.details,
      message: 'The payment processor did not open its page for customers. Nothing was changed.',
    });
  }
}

const neverOrdered = () =>
  commonErrors.invalid_state({
    message: 'The operator has ordered nothing by this payment processor. Subscribe or top up first.',
  });
