import { Elysia } from 'elysia';
import { rawBody } from '../../platform/http/auth/raw-body.ts';
import { ApiError } from '../../platform/http/errors/errors.ts';
import { isCrossOrigin } from '../../platform/http/request/same-origin.ts';
import { agentsErrors } from '../agents/errors.ts';
import { commonErrors } from '../http/errors.ts';
import { BODY, PUBLIC, responses, STORED, WRITE } from '../http/schema.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
import type { CheckoutContext } from './checkout.ts';
import { type ClaimContext, claimKey } from './claim-api-key.ts';
import { CLAIM_COOKIE, claimCookie, claimTokensOf } from './claim-cookie.ts';
import { billingErrors } from './errors.ts';
import { receiveEvent, type WebhookContext } from './receive-event.ts';
import {
  CheckoutRequest,
  CheckoutResponse,
  ClaimRequest,
  ClaimResponse,
  ProcessorEventBody,
  ReceivedResponse,
  TopupRequest,
  TopupResponse,
} from './schema.ts';
import { MAX_OPEN_CHECKOUTS, startCheckout } from './start-checkout.ts';
import { startTopup } from './top-up.ts';

/** The largest event. Those of the processor have some kilobytes. */
const MAX_EVENT_BYTES = 1_048_576;

/** Returns the routes of billing. @param secure whether clients use https, so that the cookie gets the Secure attribute */
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
        response: responses(
          { 200: CheckoutResponse },
          PUBLIC,
          BODY,
          commonErrors.not_configured,
          billingErrors.processor_unavailable,
          STORED,
        ),
        detail: {
          'x-optional-body': true,
          'x-answer-headers': {
            'Set-Cookie':
              'The cookie `billing_claim`, HttpOnly, with the claim tokens of the newest five checkouts of a browser. Not for a page of another origin.',
          },
          operationId: 'startCheckout',
          summary: 'Subscribe to Pro',
          description:
            'Creates a session of the payment processor for the Pro subscription: 49 US dollars a month, with 10,000 credits for each paid ' +
            'month, of which 4,900 are paid credits and the rest promotional. After the payment there is a new operator, and ' +
            '`POST /api/billing/claim` returns its API key once, for `claim_token` or the cookie. The body is optional. A session that ' +
            `nobody pays ends by itself. At most ${MAX_OPEN_CHECKOUTS.toLocaleString('en')} sessions are open at once (503 \`overloaded\`).`,
          security: [],
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
        response: responses(
          { 201: ClaimResponse },
          PUBLIC,
          BODY,
          commonErrors.not_found,
          commonErrors.conflict,
          commonErrors.invalid_state,
          commonErrors.not_configured,
          STORED,
        ),
        detail: {
          operationId: 'claimApiKey',
          summary: 'Claim the API key after a checkout',
          description:
            'Returns the first key of the operator that the checkout created, once. Until the payment processor says that the session was ' +
            'paid, which usually takes seconds, 409 `invalid_state` with Retry-After. A key that was claimed before is 409 `conflict`. ' +
            'An unknown session and a wrong token are both 404.',
          security: [],
        },
      },
    )
    .post(
      '/api/billing/webhook',
      async ({ rawBody: body, request, set }) => {
        try {
          return await receiveEvent(trust, body, request.headers.get('stripe-signature'));
        } catch (error) {
          // Who guesses signatures gets no more attempts than other strangers. The processor's events are never limited.
          if (error instanceof ApiError && error.code === 'invalid_proof')
            Object.assign(set.headers, await byMethod.countPublic(request));
          throw error;
        }
      },
      {
        rawBody: MAX_EVENT_BYTES,
        body: ProcessorEventBody,
        response: responses(
          { 200: ReceivedResponse },
          commonErrors.validation_error,
          agentsErrors.invalid_proof,
          commonErrors.conflict,
          commonErrors.payload_too_large,
          commonErrors.invalid_json,
          commonErrors.rate_limit_exceeded,
          commonErrors.not_configured,
          billingErrors.processor_unavailable,
          STORED,
        ),
        detail: {
          operationId: 'receiveProcessorEvent',
          summary: 'Receive an event of the payment processor',
          description:
            'For the payment processor. The signature covers the exact bytes of the body, and its time is at most 300 seconds from the ' +
            'clock of the service, on both sides. An event has its effect once, whatever the order of events is: ' +
            '`checkout.session.completed` (if it was paid) and `checkout.session.async_payment_succeeded` book what the processor says was ' +
            'paid, once for each session; `invoice.payment_succeeded` grants the credits of a further month of a subscription, once for ' +
            'each invoice; `charge.refunded` takes back what was refunded, and what is no longer there is owed: the account is ' +
            'suspended until a payment covers it; `customer.subscription.deleted` ends the plan PRO; `customer.created` binds a customer ' +
            'to its operator. Other events are `ignored`. What was paid and cannot be booked, for example in another currency, is stored ' +
            'for the administrator. The sandbox sends its events itself, Stripe those of its endpoint or of `stripe listen`. An event about ' +
            'real money is 409 while the service has a test key. Wrong signatures count as public POSTs of their client address.',
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
      response: responses(
        { 200: TopupResponse },
        WRITE,
        commonErrors.agent_not_enrolled,
        quotasErrors.quota_exceeded,
        commonErrors.rate_limit_exceeded,
        commonErrors.not_configured,
        billingErrors.processor_unavailable,
        commonErrors.idempotency_key_reused,
      ),
      detail: {
        'x-idempotent': true,
        operationId: 'topUpAccount',
        summary: 'Buy credits or stake',
        description:
          'Creates a session of the payment processor in which a card or a stablecoin pays once. The pool or the stake grows when the ' +
          'processor says that it was paid, by what was paid. Needs an issuer key or its session. What the operator owes after a refund ' +
          'is covered first; a suspended account that owes something can send this request too, and is active again once nothing is owed. ' +
          'At most 10 orders of an operator wait for the processor (503 `overloaded`).',
      },
    });
