import { Type } from '@sinclair/typebox';
import { hexString, named, oneOf, strictObject } from '../../platform/http/schema.ts';
import { DEMO_CLAIM_TOKEN, DEMO_SESSION_ID } from '../http/example-ids.ts';
import { BILLING_EVENTS } from './facts.ts';

const ui = oneOf(['hosted', 'embedded'], {
  description:
    '`hosted` (default): a page of the payment processor, whose `url` you open in a browser. `embedded`: a `clientSecret` for the ' +
    "processor's script on your own page.",
});
const url = Type.Optional(Type.String({ description: 'The page on which to pay. Only for `hosted`.' }));
const clientSecret = Type.Optional(
  Type.String({ description: 'The secret for the embedded checkout. Only for `embedded`.' }),
);
const sessionId = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The id of the session at the payment processor.',
});

export const CheckoutRequest = Type.Optional(
  named(
    'CheckoutRequest',
    strictObject(
      {
        email: Type.Optional(
          Type.String({
            minLength: 3,
            maxLength: 254,
            pattern: '^[\\x21-\\x3f\\x41-\\x7e]+@[\\x21-\\x3f\\x41-\\x7e]+$',
            description:
              'Where the payment processor sends its receipts. The service passes it on and does not store it.',
            'x-message': 'must be an email address of at most 254 characters',
          }),
        ),
        ui: Type.Optional(ui),
      },
      { examples: [{ email: 'ada@example.com' }] },
    ),
  ),
);

export const CheckoutResponse = named(
  'Checkout',
  strictObject({
    url,
    clientSecret,
    session_id: sessionId,
    claim_token: Type.String({
      description:
        'Claims the API key after the payment. Only this response and the cookie `billing_claim` have it.',
    }),
  }),
);

export const TopupRequest = named(
  'TopupRequest',
  strictObject(
    {
      usd_cents: Type.Integer({
        minimum: 100,
        maximum: 10_000_000,
        description: 'The amount to pay, in US cents.',
      }),
      target: oneOf(['credits', 'stake'], {
        description:
          '`credits`: paid credits for the pool, one for each cent (setting `credits.cents_per_credit`), rounded down. `stake`: the stake ' +
          'of the operator, cent by cent.',
      }),
      ui: Type.Optional(ui),
    },
    { examples: [{ usd_cents: 2500, target: 'credits' }] },
  ),
);

export const TopupResponse = named('Topup', strictObject({ url, clientSecret, session_id: sessionId }));

export const PortalResponse = named(
  'BillingPortal',
  strictObject({ url: Type.String({ description: 'The page, for a few minutes.' }) }),
);

export const ClaimRequest = named(
  'ClaimRequest',
  strictObject(
    {
      session_id: sessionId,
      claim_token: Type.Optional(
        Type.String({
          pattern: '^claim_[0-9a-f]{64}$',
          description: 'The token from the checkout. Without it, the cookie `billing_claim` has it.',
          'x-message': 'must be claim_ and 64 lower-case hexadecimal characters',
        }),
      ),
    },
    { examples: [{ session_id: DEMO_SESSION_ID, claim_token: DEMO_CLAIM_TOKEN }] },
  ),
);

export const ClaimResponse = named(
  'ClaimedKey',
  strictObject({
    operator_id: Type.String({ description: 'The public id of the new operator: `op_cus_…`.' }),
    api_key: Type.String({ description: 'An issuer key. Only this response contains it.' }),
    keyHash: hexString(32, 'The SHA-256 of the key, which identifies it.'),
    sandbox: Type.Optional(
      Type.Literal(true, {
        description:
          'Only if no real money was paid. The credits are sandbox credits, which cannot be withdrawn.',
      }),
    ),
  }),
);

/** The body is an event of the processor. It is verified as bytes and not by this schema. */
export const ProcessorEventBody = named(
  'ProcessorEvent',
  Type.Object(
    {},
    {
      description: 'An event as the payment processor sends it, byte by byte.',
      additionalProperties: true,
      examples: [
        {
          id: 'evt_1TestEvent',
          object: 'event',
          type: 'checkout.session.completed',
          created: 1_893_456_000,
          livemode: false,
          data: {
            object: {
              id: 'cs_test_a1b2c3d4e5f6g7h8i9j0',
              object: 'checkout.session',
              payment_status: 'paid',
              amount_total: 2500,
              currency: 'usd',
            },
          },
        },
      ],
      'x-schema': {
        type: 'object',
        required: ['id', 'object', 'type', 'created', 'livemode', 'data'],
        properties: {
          id: { type: 'string' },
          object: { type: 'string', enum: ['event'] },
          type: {
            type: 'string',
            description: `Has an effect if it is one of ${BILLING_EVENTS.join(', ')}.`,
          },
          created: { type: 'integer' },
          livemode: { type: 'boolean' },
          data: { type: 'object', required: ['object'], properties: { object: { type: 'object' } } },
        },
      },
    },
  ),
);

export const ReceivedResponse = named(
  'ReceivedEvent',
  strictObject({
    received: Type.Literal(true),
    duplicate: Type.Optional(
      Type.Literal(true, { description: 'The event had its effect before, and has none again.' }),
    ),
    ignored: Type.Optional(
      Type.Literal(true, { description: 'The event has no effect here and is not stored.' }),
    ),
    waiting: Type.Optional(
      Type.Literal(true, {
        description: 'The event has its effect when the payment that it is about is booked.',
      }),
    ),
  }),
);
