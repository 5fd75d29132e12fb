import { Type } from '@sinclair/typebox';
import { dateTime, named, strictObject } from '../../platform/http/schema.ts';

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

export const DeletedWebhookResponse = named(
  'DeletedWebhook',
  strictObject({ id: Type.String(), deleted: Type.Literal(true) }),
);
