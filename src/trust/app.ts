import type { App } from '../platform/http/app.ts';
import { type AppParts, documentedApp } from '../platform/http/documented-app.ts';
import { eventsOf, examplesOf, routesOf } from '../platform/module.ts';
import { trustAuth } from './auth.ts';
import { TITLE, trustApiDescription } from './http/api-description.ts';
import { trustDialectOf } from './http/dialect.ts';
import type { LoadedTrustModule, TrustRunning } from './module.ts';

/** What the application of the trust service is made of. */
export interface TrustAppParts extends TrustRunning, AppParts<LoadedTrustModule> {}

/** All routes of the trust service, in the order in which the documentation shows them. @throws Failure for two of one path */
function trustRoutes(parts: TrustAppParts) {
  const { trust, limits, modules, serverUrl } = parts;
  const auth = trustAuth(trust, limits);
  return routesOf(
    modules,
    { ...parts, auth, events: eventsOf(modules), secure: serverUrl.startsWith('https:') },
    ({ routes }) => routes,
  );
}

/** The trust service's application, with its documentation. */
export function createTrustApp(parts: TrustAppParts): App {
  const { modules, serverUrl } = parts;
  return documentedApp(parts, {
    dialect: trustDialectOf(modules),
    title: TITLE,
    routes: () => trustRoutes(parts),
    describe: () => trustApiDescription(modules, serverUrl),
    examples: () => examplesOf(modules),
  });
}
