import { Elysia } from 'elysia';
import { rawBody } from '../../platform/http/auth/raw-body.ts';
import { ApiError } from '../../platform/http/errors/errors.ts';
import { isCrossOrigin } from '../../platform/http/request/same-origin.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { CheckoutContext } from './checkout.ts';
import { type ClaimContext, claimKey } from './claim-api-key.ts';
import { CLAIM_COOKIE, claimCookie, claimTokensOf } from './claim-cookie.ts';
import { openBillingPortal } from './open-portal.ts';
import { receiveEvent, type WebhookContext } from './receive-event.ts';
import {
  CheckoutRequest,
  CheckoutResponse,
  ClaimRequest,
  ClaimResponse,
  PortalResponse,
  ProcessorEventBody,
  ReceivedResponse,
  TopupRequest,
  TopupResponse,
} from './schema.ts';
import { MAX_OPEN_CHECKOUTS, startCheckout } from './start-checkout.ts';
import { startTopup } from './top-up.ts';

/** The largest event. Those of the processor have some kilobytes. */
const MAX_EVENT_BYTES = 1_048_576;

/**
 * Returns the routes of billing.
 * @param secure whether clients use https, so that the cookie gets the Secure attribute
 */
export const billingRoutes = (
  trust: CheckoutContext & ClaimContext & WebhookContext & { url: string | null },
  { keyed, open, byMethod }: RouteAuth,
  secure: boolean,
) =>
  new Elysia({ tags: ['Billing'] })
    .use(keyed)
    .use(open)
    .use(rawBody())
    .post(
      '/api/billing/checkout',
      async ({ body, request, cookie }) => {
        const { response, ...claim } = await startCheckout(trust, body ?? {});
        // Another site must not replace the tokens of a browser that has paid.
        if (!isCrossOrigin(request, trust.url))
          cookie[CLAIM_COOKIE]?.set(claimCookie(request, claim, secure));
        return response;
      },
      {
        open: 'checkout',
        body: CheckoutRequest,
        response: { 200: CheckoutResponse },
        detail: {
          operationId: 'startCheckout',
          'x-optional-body': true,
          'x-response-headers': {
            'Set-Cookie':
              'The cookie `billing_claim`, HttpOnly, with the claim tokens of the newest five checkouts of a browser. Not for a page of another origin.',
          },
          security: [],
          'x-values': { MAX_OPEN_CHECKOUTS },
        },
      },
    )
    .post(
      '/api/billing/claim',
      ({ body, request, set }) => {
        set.status = 201;
        set.headers['cache-control'] = 'no-store';
        return claimKey(
          trust,
          body.session_id,
          body.claim_token === undefined ? claimTokensOf(request) : [body.claim_token],
        );
      },
      {
        open: 'publicPosts',
        body: ClaimRequest,
        response: { 201: ClaimResponse },
        detail: { operationId: 'claimApiKey', security: [] },
      },
    )
    .post(
      '/api/billing/webhook',
      async ({ rawBody: body, request, set }) => {
        try {
          return await receiveEvent(trust, body, request.headers.get('stripe-signature'));
        } catch (error) {
          // Who guesses signatures gets no more attempts than other strangers. The processor's events are
          // never limited.
          if (error instanceof ApiError && error.code === 'invalid_proof')
            Object.assign(set.headers, await byMethod.countPublic(request));
          throw error;
        }
      },
      {
        rawBody: MAX_EVENT_BYTES,
        body: ProcessorEventBody,
        response: { 200: ReceivedResponse },
        detail: {
          operationId: 'receiveProcessorEvent',
          'x-request-headers': {
            'Stripe-Signature': '`t=<seconds since 1970>,v1=<hex HMAC-SHA256 of t, a dot and the body>`',
          },
          security: [],
        },
      },
    )
    .post('/api/v1/account/topup', ({ body, principal, once }) => startTopup(trust, principal, body, once), {
      tags: ['Account'],
      keyed: 'payment',
      body: TopupRequest,
      response: { 200: TopupResponse },
      detail: { operationId: 'topUpAccount', 'x-idempotent': true },
    })
    .post('/api/v1/account/billing-portal', ({ principal }) => openBillingPortal(trust, principal), {
      tags: ['Account'],
      keyed: 'payment',
      response: { 200: PortalResponse },
      detail: { operationId: 'openBillingPortal' },
    });
