import { type Static, Type } from '@sinclair/typebox';
import {
  dateTime,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import { DEMO_WEBHOOK_ID } from '../demo/known-ids.ts';

/** Returns the schema of a new subscription. @param events names of all events */
export const webhookRequest = (events: readonly string[]) =>
  named(
    'CreateWebhookRequest',
    strictObject(
      {
        url: Type.String({
          minLength: 1,
          maxLength: 2048,
          description: 'https, without user, password and fragment; of a public address.',
          'x-complaint': 'must be 1 to 2048 characters',
        }),
        events: Type.Array(oneOf(events), {
          minItems: 1,
          maxItems: events.length,
          uniqueItems: true,
          description: 'The events to send.',
          'x-complaint': `must be 1 to ${events.length} different names of events`,
        }),
        all: Type.Optional(
          Type.Boolean({
            description: 'Whether to send events of every agent, not only of yours. Only for admin keys.',
          }),
        ),
      },
      {
        examples: [
          {
            url: 'https://hooks.operator.example/countersign',
            events: ['evidence.anchored', 'reputation.degraded'],
          },
        ],
      },
    ),
  );

export type NewWebhook = Static<ReturnType<typeof webhookRequest>>;

const nextCursor = nullable(
  Type.String({ description: 'The cursor of the next page. null on the last page.' }),
);

/** Returns the schemas of responses about subscriptions. @param events names of all events */
export function webhookResponses(events: readonly string[]) {
  const view = {
    id: Type.String({ description: 'wh_ and 32 hexadecimal characters.' }),
    url: Type.String({ description: 'The URL of the receiver.' }),
    events: Type.Array(oneOf(events), { description: 'The events that are sent.' }),
    all: Type.Optional(Type.Literal(true, { description: 'Events of every agent are sent; else absent.' })),
    created_at: dateTime('When the webhook was created.'),
  };
  const one = named('Webhook', strictObject(view));
  return {
    one,
    list: named('WebhookPage', strictObject({ webhooks: Type.Array(one), next_cursor: nextCursor })),
    made: named(
      'NewWebhook',
      strictObject({
        ...view,
        secret: nullable(
          Type.String({
            description: 'whk_ and 64 hexadecimal characters: the value of the header X-Service-Signature.',
          }),
        ),
        signing_secret: nullable(
          Type.String({
            description: 'whsec_ and base64: the secret that signs every delivery. It is never sent.',
          }),
        ),
      }),
    ),
  };
}

export type WebhookResponse = Static<ReturnType<typeof webhookResponses>['one']>;

const DeliveryView = named(
  'WebhookDelivery',
  strictObject({
    id: Type.String({ description: 'The `webhook-id` header of the delivery.' }),
    event: Type.String({ description: 'The name of the event.' }),
    created_at: dateTime('When the event happened.'),
    ended_at: nullable(dateTime('When the attempt ended; null if there was no attempt.')),
    status: nullable(
      Type.Integer({ description: "The status of the receiver's response; null without one." }),
    ),
    error: nullable(Type.String({ description: 'Why the delivery failed; null after a 2xx response.' })),
  }),
);

export type DeliveryResponse = Static<typeof DeliveryView>;

export const DeliveryListResponse = named(
  'WebhookDeliveryPage',
  strictObject({
    deliveries: Type.Array(DeliveryView),
    next_cursor: nextCursor,
  }),
);

const cursor = Type.Optional(
  Type.String({ maxLength: 512, description: '`next_cursor` of the previous page.' }),
);

export const WebhookListQuery = strictObject({ limit: limitParameter('Webhooks per page.', 50), cursor });
export const DeliveryListQuery = strictObject({ limit: limitParameter('Deliveries per page.', 50), cursor });

export interface PageQuery {
  limit?: string;
  cursor?: string;
}

export const WebhookPath = strictObject({
  id: Type.String({ maxLength: 256, description: "The webhook's id.", examples: [DEMO_WEBHOOK_ID] }),
});

export const DeletedWebhookResponse = named(
  'DeletedWebhook',
  strictObject({ id: Type.String(), deleted: Type.Literal(true) }),
);

const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description });

export const GuideResponse = named(
  'WebhookGuide',
  strictObject({
    scheme: Type.String({ description: 'What the signature follows.' }),
    headers: texts('Of every delivery, by name: what each says.'),
    body: texts('The members of the body.'),
    events: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'The members of `data`, by event.',
    }),
    tolerance_seconds: Type.Integer({
      description: 'How far `webhook-timestamp` may be from your clock, either way.',
    }),
    steps: Type.Array(Type.String(), { description: 'How a receiver verifies, in order.' }),
    delivery: Type.Array(Type.String(), { description: 'What a receiver can count on, and what not.' }),
    example: strictObject(
      {
        secret: Type.String(),
        signing_secret: Type.String(),
        headers: texts('As they arrive.'),
        body: Type.String({ description: 'As it arrives, byte for byte.' }),
        signed_content: Type.String({ description: 'What the signature is over.' }),
        now: Type.Integer({ description: 'A time, in seconds since 1970, at which it is fresh.' }),
      },
      { description: "A delivery that verifies; its secrets are nobody's." },
    ),
    samples: texts('Code of a receiver, by language, with nothing but its standard library.'),
  }),
);
