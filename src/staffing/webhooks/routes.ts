import { Elysia } from 'elysia';
import type { StaffingAuth } from '../auth.ts';
import { BODY, KEYED, PREFIX, responses } from '../schema.ts';
import { DeletedWebhookAnswer, NewWebhookAnswer, WebhookAnswer, WebhookRequest } from './schema.ts';
import { deleteWebhook, readWebhook, setWebhook, type Webhooks } from './service.ts';

export const webhookRoutes = (context: Webhooks, { keyed }: StaffingAuth) =>
  new Elysia({ prefix: PREFIX, tags: ['Webhook'] })
    .use(keyed)
    .put('/webhook', ({ principal, body }) => setWebhook(context, principal, body), {
      keyed: 'jobs:write',
      body: WebhookRequest,
      response: responses({ 200: NewWebhookAnswer }, KEYED, BODY),
      detail: {
        operationId: 'setWebhook',
        summary: 'Hear of your requisitions',
        description:
          'Of the tier of the key; one address each. Every change of status after the submission is sent as `requisition.status_changed` ' +
          '`{type, timestamp, data}`, data being the requisition, signed by Standard Webhooks (webhook-id, ' +
          'webhook-timestamp, webhook-signature) with the secret in this answer, which is nowhere else. Six tries over 24 ' +
          'hours, no order promised; 410 Gone ends them. Setting it anew gives a new secret.',
      },
    })
    .get('/webhook', ({ principal }) => readWebhook(context, principal), {
      keyed: 'jobs:write',
      response: responses({ 200: WebhookAnswer }, KEYED, 'NOT_FOUND'),
      detail: {
        operationId: 'getWebhook',
        summary: 'Where you hear of them',
        description: 'Without the secret.',
      },
    })
    .delete('/webhook', ({ principal }) => deleteWebhook(context, principal), {
      keyed: 'jobs:write',
      response: responses({ 200: DeletedWebhookAnswer }, KEYED, BODY, 'NOT_FOUND'),
      detail: {
        operationId: 'deleteWebhook',
        summary: 'Hear of them no more',
        description: 'Deliveries that are due are given up.',
      },
    });
