import type { TrustServer } from '../module.ts';
import { webhookRoutes } from './routes.ts';

export const server: TrustServer = {
  routes: ({ trust, webhooks, doors }) => [webhookRoutes(trust, webhooks, doors)],
  metrics: ({ webhooks }) => webhooks.figures,
};
