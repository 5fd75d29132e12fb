import type { Logger } from 'pino';
import { type App, createApp } from '../platform/http/app.ts';
import { createDocs } from '../platform/http/docs.ts';
import type { Limits } from '../platform/http/limits.ts';
import type { Observer } from '../platform/observer.ts';
import { agentRoutes } from './agents/routes.ts';
import { trustApiDescription } from './api-description.ts';
import { attestationRoutes } from './attestations/routes.ts';
import type { Trust } from './context.ts';
import { trustDialect } from './dialect.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { trustDoors } from './doors.ts';
import { evidenceIngestRoutes, evidenceRoutes } from './evidence/routes.ts';
import { gateRoutes } from './gate/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { logRoutes } from './log/routes.ts';
import { operatorRoutes } from './operators/routes.ts';
import { profileRoutes } from './profiles/routes.ts';
import { receiptRoutes } from './receipts/routes.ts';
import { reputationRoutes } from './reputation/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import type { Switchboard } from './webhooks/service.ts';

/** All routes of the trust service, in the order in which the documentation shows them. */
export function trustRoutes(
  trust: Trust,
  webhooks: Switchboard,
  limits: Limits,
  version: string,
  secure: boolean,
) {
  const doors = trustDoors(trust, limits);
  return [
    receiptRoutes(trust, doors),
    logRoutes(trust, doors),
    agentRoutes(trust, doors),
    evidenceIngestRoutes(trust, doors),
    evidenceRoutes(trust, doors),
    reputationRoutes(trust, doors),
    profileRoutes(trust, doors),
    attestationRoutes(trust, doors),
    webhookRoutes(trust, webhooks, doors),
    gateRoutes(trust, doors),
    operatorRoutes(trust, doors, secure),
    keyRoutes(trust, doors),
    discoveryRoutes(trust, doors, version),
  ];
}

/** The trust service's application, with its documentation. */
export function createTrustApp(
  trust: Trust,
  webhooks: Switchboard,
  limits: Limits,
  log: Logger,
  version: string,
  serverUrl: string,
  observer: Observer,
): App {
  const secure = serverUrl.startsWith('https:');
  const routes = () => trustRoutes(trust, webhooks, limits, version, secure);
  const description = trustApiDescription(serverUrl);
  const docs = createDocs(description.title, async () => {
    const { openApiDocument } = await import('../platform/http/openapi.ts');
    return openApiDocument(routes(), description);
  });
  return createApp(trustDialect, log, limits, routes(), docs, observer);
}
