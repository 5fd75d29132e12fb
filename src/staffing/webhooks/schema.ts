import { Type } from '@sinclair/typebox';
import { dateTime, named, nullable, oneOf, strictObject } from '../../platform/http/schema.ts';

export const WebhookRequest = named(
  'SetWebhookRequest',
  strictObject(
    {
      url: Type.String({
        minLength: 1,
        maxLength: 2048,
        description:
          'The URL that receives the events: https, without user, password and fragment, at a public address.',
      }),
    },
    { examples: [{ url: 'https://ats.firm.example/hooks' }] },
  ),
);

const view = {
  id: Type.String({ description: 'The id of the webhook: `wh_` and 32 hexadecimal characters.' }),
  url: Type.String({ description: 'The URL that receives the events.' }),
  events: Type.Array(Type.String(), { description: 'The names of the events that are sent.' }),
  created_at: dateTime('The time when the webhook was set.'),
};

export const WebhookResponse = named('Webhook', strictObject(view));

export const NewWebhookResponse = named(
  'NewWebhook',
  strictObject({
    ...view,
    secret: Type.String({
      description:
        'The secret that signs the deliveries: `whsec_` and base64. Only this response contains it.',
    }),
  }),
);

export const DeliveryResponse = named(
  'WebhookDelivery',
  strictObject(
    {
      id: Type.String({
        description:
          'The id of the delivery, which each attempt has as its header `webhook-id`: `msg_` and 32 hexadecimal characters.',
      }),
      webhook_id: Type.String({
        description: 'The id of the webhook that it goes to. Setting the webhook again creates another id.',
      }),
      event: Type.String({ description: 'The name of the event, such as `requisition.status_changed`.' }),
      status: oneOf(['pending', 'delivered', 'failed'], {
        description:
          '`pending` until an attempt succeeds or none is left. `failed`: no attempt succeeded, the receiver responded 410, or the ' +
          'webhook was replaced or deleted.',
      }),
      attempts: Type.Integer({ minimum: 0, maximum: 6, description: 'Completed attempts.' }),
      last_status: nullable(
        Type.Integer({ description: 'The HTTP status of the last response. null without a response.' }),
      ),
      last_error: nullable(
        Type.String({
          description: 'Why the last attempt failed. null when it succeeded or there was none.',
        }),
      ),
      created_at: dateTime('The time of the event.'),
      next_attempt_at: nullable(dateTime('The time of the next attempt. null unless `pending`.')),
      ended_at: nullable(dateTime('The time when it was delivered or failed. null while `pending`.')),
    },
    { description: 'What became of the delivery of an event. It has no secret, no URL and no content.' },
  ),
);

export const DeliveryListResponse = named(
  'WebhookDeliveries',
  strictObject({ data: Type.Array(DeliveryResponse, { description: 'At most 100, newest first.' }) }),
);

export const DeletedWebhookResponse = named(
  'DeletedWebhook',
  strictObject({ id: Type.String(), deleted: Type.Literal(true) }),
);
