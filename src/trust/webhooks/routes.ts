import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import { lazy } from '../../platform/lazy.ts';
import type { EventTable } from '../../platform/module.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { KEYED, LIMITED_WRITE, PUBLIC, responses, STORED, WRITE } from '../http/schema.ts';
import type { RouteAuth } from '../operators/auth/route-auth.ts';
import { quotasErrors } from '../operators/quotas/errors.ts';
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
  { keyed, open }: RouteAuth,
  events: EventTable,
) => {
  const names = Object.keys(events);
  const schemas = webhookResponses(names);
  const guide = lazy(() => guideOf(events));
  return new Elysia({ tags: ['Webhooks'] })
    .use(keyed)
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
        response: responses(
          { 201: schemas.made },
          LIMITED_WRITE,
          quotasErrors.quota_exceeded,
          commonErrors.conflict,
          commonErrors.idempotency_key_reused,
        ),
        detail: { operationId: 'createWebhook', 'x-idempotent': true },
      },
    )
    .get('/api/v1/webhooks', ({ principal, query }) => listWebhooks(trust, principal, query), {
      keyed: 'issuer',
      query: WebhookListQuery,
      response: responses({ 200: schemas.list }, KEYED, STORED),
      detail: { operationId: 'listWebhooks' },
    })
    .get('/api/v1/webhooks/verify-guide', () => guide(), {
      open: 'publicReads',
      response: responses({ 200: GuideResponse }, PUBLIC),
      detail: { operationId: 'getWebhookVerifyGuide', security: [] },
    })
    .delete(
      '/api/v1/webhooks/:id',
      ({ params, principal }) => deleteWebhook(trust, webhooks, principal, params.id),
      {
        keyed: 'issuer',
        params: WebhookPath,
        response: responses({ 200: DeletedWebhookResponse }, WRITE, commonErrors.not_found),
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
        response: responses({ 200: DeliveryListResponse }, KEYED, STORED, commonErrors.not_found),
        detail: { operationId: 'listWebhookDeliveries' },
      },
    );
};
