import { Elysia } from 'elysia';
import { strictObject } from '../../platform/http/schema.ts';
import type { StaffingAuth } from '../http/auth.ts';
import { commonErrors } from '../http/errors.ts';
import { BODY, KEYED, PREFIX, responses } from '../http/schema.ts';
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
        response: responses({ 202: DeliveryResponse }, KEYED, BODY, commonErrors.NOT_FOUND),
        detail: {
          operationId: 'testWebhook',
          summary: 'Send a test event to your webhook',
          description:
            'Sends `webhook.test` as every other event is sent: signed, and repeated if it fails. The response is its delivery, ' +
            `still pending: \`GET /webhook/deliveries\` shows its result. At most ${TESTS_PER_MINUTE} a minute for all keys ` +
            'of a tier (429).',
        },
      },
    )
    .get('/webhook/deliveries', ({ principal }) => listDeliveries(context, principal), {
      keyed: 'jobs:read',
      query: strictObject({}),
      response: responses({ 200: DeliveryListResponse }, KEYED),
      detail: {
        operationId: 'listWebhookDeliveries',
        summary: 'List your last deliveries',
        description:
          'The last 100 deliveries of the tier of the key, newest first, with what became of each, including those of webhooks that you ' +
          'replaced or deleted. A delivery is kept for 30 days after its end.',
      },
    })
    .put('/webhook', ({ principal, body }) => setWebhook(context, principal, body), {
      keyed: 'jobs:write',
      body: WebhookRequest,
      response: responses({ 200: NewWebhookResponse }, KEYED, BODY),
      detail: {
        operationId: 'setWebhook',
        'x-callback-url': '{$request.body#/url}',
        summary: 'Set the webhook for your requisitions',
        description:
          'Each tier has one URL. Every later change of status is sent as `requisition.status_changed` `{type, timestamp, data}`, ' +
          'where data is the requisition. Deliveries are signed by Standard Webhooks (webhook-id, webhook-timestamp, ' +
          'webhook-signature) with the secret that only this response contains. Each delivery has up to six attempts in 24 ' +
          'hours; 410 Gone ends it. The order is not guaranteed. Setting the webhook again creates a new secret.',
      },
    })
    .get('/webhook', ({ principal }) => getWebhook(context, principal), {
      keyed: 'jobs:write',
      response: responses({ 200: WebhookResponse }, KEYED, commonErrors.NOT_FOUND),
      detail: {
        operationId: 'getWebhook',
        summary: 'Get the webhook for your requisitions',
        description: 'Without the secret.',
      },
    })
    .delete('/webhook', ({ principal }) => deleteWebhook(context, principal), {
      keyed: 'jobs:write',
      response: responses({ 200: DeletedWebhookResponse }, KEYED, BODY, commonErrors.NOT_FOUND),
      detail: {
        operationId: 'deleteWebhook',
        summary: 'Delete the webhook for your requisitions',
        description: 'Pending deliveries are dropped.',
      },
    });
