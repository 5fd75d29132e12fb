import type { ServerPart } from '../../../platform/module.ts';
import type { Serving } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { WebhookContext } from '../../webhooks/webhook.ts';
import type { ExpiryContext } from './expire.ts';
import { localExpiryRoutes } from './local-routes.ts';

export const server = {
  localRoutes: ({
    trust,
    webhooks,
  }: Serving<Omit<ExpiryContext, 'dropQueue'>, RouteAuth> & { webhooks: WebhookContext }) => [
    localExpiryRoutes({ ...trust, dropQueue: (webhookId) => webhooks.dispatcher.remove(webhookId) }),
  ],
} satisfies ServerPart<never, never, never>;
