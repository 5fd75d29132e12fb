import { createHmac } from 'node:crypto';
import { Stripe } from 'stripe';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import type { PaymentProcessor } from '../processor/processor.ts';
import { verifiedEvent } from '../processor/verify-event.ts';
import { cancel } from './cancel.ts';
import { openSession } from './open-session.ts';
import { pagePath, portalPath } from './paths.ts';
import { portalToken } from './portal-token.ts';
import { webhookSecret } from './secret.ts';
import type { SandboxParts } from './session.ts';
import { hasCustomer, invoiceOf, paymentIntentOf, sessionOfSubscription } from './store.ts';

/** The processor as the rest of the service uses it, with the key and the URL that it needs. */
export interface SandboxProcessorParts extends SandboxParts {
  masterKey: MasterKey;
  /** The URL of the service for its clients. */
  url: string;
}

/** Opens the sandbox as payment processor: its sessions are rows of the database, on this machine. */
export function openSandbox({ masterKey, url, ...parts }: SandboxProcessorParts): PaymentProcessor {
  const { store, clock } = parts;
  const secret = webhookSecret(masterKey);
  return {
    name: 'sandbox',
    sandbox: true,
    async createCheckout(order) {
      const { sessionId, customerId, embedded, expiresAt } = await openSession(parts, order);
      return {
        sessionId,
        customerId,
        url: embedded ? null : `${url}${pagePath(sessionId)}`,
        clientSecret: embedded ? clientSecretOf(secret, sessionId) : null,
        expiresAt,
      };
    },
    eventOf: (rawBody, header) => verifiedEvent(Stripe.webhooks, rawBody, header, { secret, clock }),
    async endSubscription(subscriptionId) {
      const session = await store.read((snapshot) => sessionOfSubscription(snapshot, subscriptionId));
      // Of a session that was deleted, nothing renews the subscription.
      if (session !== null && session.canceledAt === null) await cancel(parts, session.sessionId);
      return true;
    },
    async openPortal(customerId) {
      if (!(await store.read((snapshot) => hasCustomer(snapshot, customerId)))) return null;
      const token = portalToken(masterKey, customerId, clock.now());
      return token === null ? null : `${url}${portalPath(token)}`;
    },
    paymentIntentOfInvoice: (invoiceId) => store.read((snapshot) => paymentIntentOf(snapshot, invoiceId)),
    invoiceOfPaymentIntent: (intent) => store.read((snapshot) => invoiceOf(snapshot, intent)),
  };
}

/**
 * Returns the client secret of an embedded session, in the form of Stripe's: the session id is what precedes
 * `_secret_`. There is no script that embeds the page of the sandbox, so a client opens the page of that id.
 */
function clientSecretOf(secret: string, sessionId: string): string {
  return `${sessionId}_secret_${createHmac('sha256', secret).update(sessionId).digest('hex').slice(0, 32)}`;
}
