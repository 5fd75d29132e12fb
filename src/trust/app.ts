import type { Logger } from 'pino';
import { type App, createApp } from '../platform/http/app.ts';
import { createDocs } from '../platform/http/docs.ts';
import { trustApiDescription } from './api-description.ts';
import type { Trust } from './context.ts';
import { trustDialect } from './dialect.ts';
import { discoveryRoutes } from './discovery/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { authenticator } from './operators/authenticate.ts';
import { receiptRoutes } from './receipts/routes.ts';

/** All routes of the trust service, in the order in which the documentation shows them. */
export function trustRoutes(trust: Trust, version: string) {
  const authenticate = authenticator(trust.store);
  return [receiptRoutes(trust, authenticate), keyRoutes(trust.store), discoveryRoutes(trust.store, version)];
}

/** The trust service's application, with its documentation. */
export function createTrustApp(trust: Trust, log: Logger, version: string, serverUrl: string): App {
  const routes = trustRoutes(trust, version);
  const description = trustApiDescription(serverUrl);
  const docs = createDocs(description.title, async () => {
    const { openApiDocument } = await import('../platform/http/openapi.ts');
    return openApiDocument(trustRoutes(trust, version), description);
  });
  return createApp(trustDialect, log, routes, docs);
}
