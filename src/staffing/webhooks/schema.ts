import { Type } from '@sinclair/typebox';
import { dateTime, named, strictObject } from '../../platform/http/schema.ts';

export const WebhookRequest = named(
  'SetWebhookRequest',
  strictObject(
    {
      url: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'https, without user, password and fragment; of a public address.',
      }),
    },
    { examples: [{ url: 'https://ats.firm.example/hooks' }] },
  ),
);

const view = {
  id: Type.String({ description: 'wh_ and 32 hexadecimal characters.' }),
  url: Type.String({ description: 'Where events go.' }),
  events: Type.Array(Type.String(), { description: 'The events that are sent.' }),
  created_at: dateTime('When it was set.'),
};

export const WebhookResponse = named('Webhook', strictObject(view));

export const NewWebhookResponse = named(
  'NewWebhook',
  strictObject({
    ...view,
    secret: Type.String({
      description: 'The secret that signs events: whsec_ and base64. Only this response contains it.',
    }),
  }),
);

export const DeletedWebhookResponse = named(
  'DeletedWebhook',
  strictObject({ id: Type.String(), deleted: Type.Literal(true) }),
);
