import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { CreditsPolicy } from '../ledger/credits/settings.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import type { CheckoutOrder, CheckoutSession, PaymentProcessor } from './processor/processor.ts';

/** The parts of the service that orders use. */
export type CheckoutContext = {
  store: Store;
  clock: Clock;
  ids: Ids;
  quotas: Quotas;
  policy: CreditsPolicy;
  processor: () => Promise<PaymentProcessor | null>;
};

/** Where the processor shows the checkout: on its own page, or in a page of the client. */
export type Ui = 'hosted' | 'embedded';

/** Returns the row of an order. @param claimHash of the claim token; null for an order of an operator */
export function checkoutRowOf(
  { clock }: Pick<CheckoutContext, 'clock'>,
  { checkoutId, operatorId, purpose, usdCents, customerId }: CheckoutOrder,
  session: CheckoutSession,
  claimHash: string | null,
) {
  return {
    checkoutId,
    sessionId: session.sessionId,
    operatorId,
    purpose,
    usdCents,
    customerId: session.customerId ?? customerId,
    claimHash,
    createdAt: clock.now(),
    expiresAt: session.expiresAt,
  };
}

/** The members of a session that a client gets. */
export interface SessionView {
  url?: string;
  clientSecret?: string;
  session_id: string;
}

/** Returns the members of a session that a client gets. */
export function sessionView({ url, clientSecret, sessionId }: CheckoutSession): SessionView {
  return {
    ...(url === null ? {} : { url }),
    ...(clientSecret === null ? {} : { clientSecret }),
    session_id: sessionId,
  };
}
