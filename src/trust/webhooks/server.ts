import type { TrustServer } from '../module.ts';
import { webhookRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, webhooks, doors, events }) => [webhookRoutes(trust, webhooks, doors, events)],
  metrics: ({ webhooks }) => webhooks.figures,
};
