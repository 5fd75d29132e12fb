import type { TrustServer } from '../service/module.ts';
import { webhookRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, webhooks, auth, events }) => [webhookRoutes(trust, webhooks, auth, events)],
  metrics: ({ webhooks }) => webhooks.metrics,
};
