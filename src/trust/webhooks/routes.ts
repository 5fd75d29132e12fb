import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import { lazy } from '../../platform/lazy.ts';
import type { EventTable } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import type { Quotas } from '../operators/quotas/quotas.ts';
import { createWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { guideOf } from './get-verify-guide.ts';
import { listWebhooks } from './list.ts';
import { listDeliveries } from './list-deliveries.ts';
import {
  DeletedWebhookResponse,
  DeliveryListQuery,
  DeliveryListResponse,
  GuideResponse,
  WebhookListQuery,
  WebhookPath,
  webhookRequest,
  webhookResponses,
} from './schema.ts';
import type { WebhookContext } from './webhook.ts';

interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  quotas: Quotas;
  cursors: Cursors;
}

export const webhookRoutes = (
  trust: Context,
  webhooks: WebhookContext,
  { operating, open }: RouteAuth,
  events: EventTable,
) => {
  const names = Object.keys(events);
  const schemas = webhookResponses(names);
  const guide = lazy(() => guideOf(events));
  return new Elysia({ tags: ['Webhooks'] })
    .use(operating)
    .use(open)
    .post(
      '/api/v1/webhooks',
      async ({ body, principal, once, set }) => {
        const made = await createWebhook(trust, webhooks, principal, body, once);
        set.status = 201;
        return made;
      },
      {
        keyed: 'issuer',
        body: webhookRequest(names),
        response: { 201: schemas.made },
        detail: { operationId: 'createWebhook', 'x-idempotent': true },
      },
    )
    .get('/api/v1/webhooks', ({ principal, query }) => listWebhooks(trust, principal, query), {
      keyed: 'issuer',
      query: WebhookListQuery,
      response: { 200: schemas.list },
      detail: { operationId: 'listWebhooks' },
    })
    .get('/api/v1/webhooks/verify-guide', () => guide(), {
      open: 'publicReads',
      response: { 200: GuideResponse },
      detail: { operationId: 'getWebhookVerifyGuide', security: [] },
    })
    .delete(
      '/api/v1/webhooks/:id',
      ({ params, principal }) => deleteWebhook(trust, webhooks, principal, params.id),
      {
        keyed: 'issuer',
        params: WebhookPath,
        response: { 200: DeletedWebhookResponse },
        detail: { operationId: 'deleteWebhook' },
      },
    )
    .get(
      '/api/v1/webhooks/:id/deliveries',
      ({ params, principal, query }) => listDeliveries(trust, principal, params.id, query),
      {
        keyed: 'issuer',
        params: WebhookPath,
        query: DeliveryListQuery,
        response: { 200: DeliveryListResponse },
        detail: { operationId: 'listWebhookDeliveries' },
      },
    );
};
