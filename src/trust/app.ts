import type { Logger } from 'pino';
import { type App, createApp } from '../platform/http/app.ts';
import { createDocs } from '../platform/http/docs.ts';
import type { Limits } from '../platform/http/limits.ts';
import { eventsOf, routesOf } from '../platform/module.ts';
import type { Observer } from '../platform/observer.ts';
import { TITLE, trustApiDescription } from './api-description.ts';
import { trustDialectOf } from './dialect.ts';
import { trustDoors } from './doors.ts';
import type { LoadedTrustModule, TrustRunning } from './module.ts';

/** What the application of the trust service is made of. */
export interface TrustAppParts extends TrustRunning {
  modules: readonly LoadedTrustModule[];
  limits: Limits;
  log: Logger;
  observer: Observer;
  version: string;
  /** Where clients reach it, `/` being wherever the documentation was fetched from. */
  serverUrl: string;
}

/** All routes of the trust service, in the order in which the documentation shows them. @throws Failure for two of one path */
function trustRoutes(parts: TrustAppParts) {
  const { trust, limits, modules, serverUrl } = parts;
  const doors = trustDoors(trust, limits);
  return routesOf(
    modules,
    { ...parts, doors, events: eventsOf(modules), secure: serverUrl.startsWith('https:') },
    ({ routes }) => routes,
  );
}

/** The trust service's application, with its documentation. */
export function createTrustApp(parts: TrustAppParts): App {
  const { modules, limits, log, observer, serverUrl } = parts;
  const docs = createDocs(TITLE, async () => {
    const { openApiDocument } = await import('../platform/http/openapi.ts');
    return openApiDocument(trustRoutes(parts), trustApiDescription(modules, serverUrl));
  });
  return createApp(trustDialectOf(modules), log, limits, trustRoutes(parts), docs, observer);
}
