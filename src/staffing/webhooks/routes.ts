import { Elysia } from 'elysia';
import { strictObject } from '../../platform/http/schema.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { PREFIX } from '../http/schema.ts';
import { deleteWebhook } from './delete.ts';
import { getWebhook } from './get.ts';
import { listDeliveries } from './list-deliveries.ts';
import {
  DeletedWebhookResponse,
  DeliveryListResponse,
  DeliveryResponse,
  NewWebhookResponse,
  WebhookRequest,
  WebhookResponse,
} from './schema.ts';
import { sendTestEvent } from './send-test.ts';
import type { Webhooks } from './services.ts';
import { setWebhook } from './set.ts';
import { TESTS_PER_MINUTE, type TestLimit } from './test-limit.ts';

export const webhookRoutes = (context: Webhooks, { keyed }: StaffingAuth, tests: TestLimit) =>
  new Elysia({ prefix: PREFIX, tags: ['Webhook'] })
    .use(keyed)
    // First in the document, so that the examples of the documentation are called while there is a webhook.
    .post(
      '/webhook/test',
      async ({ principal, set }) => {
        await tests.count(principal);
        const delivery = await sendTestEvent(context, principal);
        set.status = 202;
        return delivery;
      },
      {
        keyed: 'jobs:write',
        response: { 202: DeliveryResponse },
        detail: { operationId: 'testWebhook', 'x-values': { TESTS_PER_MINUTE } },
      },
    )
    .get('/webhook/deliveries', ({ principal }) => listDeliveries(context, principal), {
      keyed: 'jobs:read',
      query: strictObject({}),
      response: { 200: DeliveryListResponse },
      detail: { operationId: 'listWebhookDeliveries' },
    })
    .put('/webhook', ({ principal, body }) => setWebhook(context, principal, body), {
      keyed: 'jobs:write',
      body: WebhookRequest,
      response: { 200: NewWebhookResponse },
      detail: { operationId: 'setWebhook', 'x-callback-url': '{$request.body#/url}' },
    })
    .get('/webhook', ({ principal }) => getWebhook(context, principal), {
      keyed: 'jobs:write',
      response: { 200: WebhookResponse },
      detail: { operationId: 'getWebhook' },
    })
    .delete('/webhook', ({ principal }) => deleteWebhook(context, principal), {
      keyed: 'jobs:write',
      response: { 200: DeletedWebhookResponse },
      detail: { operationId: 'deleteWebhook' },
    });
