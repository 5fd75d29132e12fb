import { Elysia } from 'elysia';
import type { StaffingAuth } from '../auth.ts';
import { BODY, KEYED, PREFIX, responses } from '../http/schema.ts';
import { DeletedWebhookResponse, NewWebhookResponse, WebhookRequest, WebhookResponse } from './schema.ts';
import { deleteWebhook, readWebhook, setWebhook, type Webhooks } from './service.ts';

export const webhookRoutes = (context: Webhooks, { keyed }: StaffingAuth) =>
  new Elysia({ prefix: PREFIX, tags: ['Webhook'] })
    .use(keyed)
    .put('/webhook', ({ principal, body }) => setWebhook(context, principal, body), {
      keyed: 'jobs:write',
      body: WebhookRequest,
      response: responses({ 200: NewWebhookResponse }, KEYED, BODY),
      detail: {
        operationId: 'setWebhook',
        summary: 'Set the webhook for your requisitions',
        description:
          'Each tier has one URL. Every later change of status is sent as `requisition.status_changed` `{type, timestamp, data}`, ' +
          'where data is the requisition. Deliveries are signed by Standard Webhooks (webhook-id, webhook-timestamp, ' +
          'webhook-signature) with the secret that only this response contains. Each delivery has up to six attempts in 24 ' +
          'hours; 410 Gone ends it. The order is not guaranteed. Setting the webhook again creates a new secret.',
      },
    })
    .get('/webhook', ({ principal }) => readWebhook(context, principal), {
      keyed: 'jobs:write',
      response: responses({ 200: WebhookResponse }, KEYED, 'NOT_FOUND'),
      detail: {
        operationId: 'getWebhook',
        summary: 'Get the webhook for your requisitions',
        description: 'Without the secret.',
      },
    })
    .delete('/webhook', ({ principal }) => deleteWebhook(context, principal), {
      keyed: 'jobs:write',
      response: responses({ 200: DeletedWebhookResponse }, KEYED, BODY, 'NOT_FOUND'),
      detail: {
        operationId: 'deleteWebhook',
        summary: 'Delete the webhook for your requisitions',
        description: 'Pending deliveries are dropped.',
      },
    });
