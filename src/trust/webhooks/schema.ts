import { type Static, Type } from '@sinclair/typebox';
import {
  dateTime,
  limitParameter,
  named,
  nullable,
  oneOf,
  strictObject,
} from '../../platform/http/schema.ts';
import { DEMO_WEBHOOK_ID } from '../http/example-ids.ts';

/** Returns the schema of the name of an event. @param events names of all events */
const eventName = (events: readonly string[]) => named('WebhookEventName', oneOf(events));

/** Returns the schema of a new subscription. @param events names of all events */
export const webhookRequest = (events: readonly string[]) =>
  named(
    'CreateWebhookRequest',
    strictObject(
      {
        url: Type.String({
          minLength: 1,
          maxLength: 2048,
          description:
            'The URL that receives the events: https, without user, password and fragment, at a public address.',
          'x-message': 'must be 1 to 2048 characters',
        }),
        events: Type.Array(eventName(events), {
          minItems: 1,
          maxItems: events.length,
          uniqueItems: true,
          description: 'The names of the events to send.',
          'x-message': `must be 1 to ${events.length} different names of events`,
        }),
        all: Type.Optional(
          Type.Boolean({
            description:
              'Whether to send the events of all agents, not only of yours: those that are public. Needs an admin key. Default false.',
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
    id: Type.String({ description: 'The id of the webhook: `wh_` and 32 hexadecimal characters.' }),
    url: Type.String({ description: 'The URL that receives the events.' }),
    events: Type.Array(eventName(events), { description: 'The names of the events that are sent.' }),
    all: Type.Optional(
      Type.Literal(true, { description: 'True if the events of all agents are sent, else absent.' }),
    ),
    created_at: dateTime('The time when the webhook was created.'),
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
            description:
              'The value that X-Service-Signature has in every delivery: `whk_` and 64 hexadecimal characters. null in a replay.',
          }),
        ),
        signing_secret: nullable(
          Type.String({
            description:
              'The secret that signs the deliveries, which never contain it: `whsec_` and base64. null in a replay.',
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
    id: Type.String({ description: 'The value of the header `webhook-id` of the delivery.' }),
    event: Type.String({ description: 'The name of the event.' }),
    created_at: dateTime('The time of the event.'),
    ended_at: nullable(dateTime('The time when the attempt ended. null if there was no attempt.')),
    status: nullable(
      Type.Integer({ description: 'The HTTP status of the response. null if the receiver sent none.' }),
    ),
    error: nullable(Type.String({ description: 'Why the delivery failed. null after a 2xx response.' })),
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
  id: Type.String({ maxLength: 256, description: 'The id of the webhook.', examples: [DEMO_WEBHOOK_ID] }),
});

export const DeletedWebhookResponse = named(
  'DeletedWebhook',
  strictObject({ id: Type.String(), deleted: Type.Literal(true) }),
);

const texts = (description: string) => Type.Record(Type.String(), Type.String(), { description });

export const GuideResponse = named(
  'WebhookGuide',
  strictObject({
    scheme: Type.String({ description: 'The name of the signature scheme.' }),
    headers: texts('The meaning of each header of a delivery, by its name.'),
    body: texts('The meaning of each member of the body, by its name.'),
    events: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'The names of the members of `data`, by the name of the event.',
    }),
    tolerance_seconds: Type.Integer({
      description:
        'The largest difference between `webhook-timestamp` and your clock, in seconds, in both directions.',
    }),
    steps: Type.Array(Type.String(), { description: 'The steps to verify a delivery, in order.' }),
    delivery: Type.Array(Type.String(), { description: 'What a receiver can and cannot rely on.' }),
    example: strictObject(
      {
        secret: Type.String(),
        signing_secret: Type.String(),
        headers: texts('The headers of the example, as a receiver gets them.'),
        body: Type.String({ description: 'The exact body of the example.' }),
        signed_content: Type.String({ description: 'The text that is signed.' }),
        now: Type.Integer({
          description: 'A time at which the example is not too old, in seconds since 1970.',
        }),
      },
      { description: 'A delivery that verifies. Its secrets are only for this example.' },
    ),
    samples: texts('Code that verifies a delivery, by language. It uses only the standard library.'),
  }),
);
