import { BlockList } from 'node:net';
import { type OperationApp, operationApp } from '../../platform/control/operation-app.ts';
import { type AppParts, documentedApp, type GrowingApp } from '../../platform/http/documented-app.ts';
import { RateLimiter } from '../../platform/http/request/rate-limits.ts';
import {
  descriptionsOf,
  errorTable,
  eventsOf,
  examplesOf,
  type ModuleEntry,
  routesOf,
} from '../../platform/module.ts';
import { noopRecorder } from '../../platform/monitoring/recorder.ts';
import { SITE_LINKS, TITLE, trustApiDescription } from '../http/api-description.ts';
import { trustDialect } from '../http/dialect.ts';
import { commonErrors } from '../http/errors.ts';
import { problemOf } from '../http/schema.ts';
import { routeAuth } from '../operators/auth/route-auth.ts';
import { explorerSettings } from '../pages/explorer/settings.ts';
import type { LoadedTrustModule, TrustRunning } from './module.ts';
import { trustSettings } from './settings.ts';

/** The parts of the trust service's application. */
export interface TrustAppParts extends TrustRunning, AppParts<ModuleEntry, LoadedTrustModule> {}

/** The parts of the application of the local administrator. */
interface LocalAppParts extends TrustRunning, Pick<TrustAppParts, 'modules' | 'early' | 'loaded' | 'log'> {
  /** Loads the modules that describe an operation; all if none does. */
  describing(operationId: string): Promise<readonly LoadedTrustModule[]>;
}

/**
 * Returns the routes of modules, in the order of the documentation.
 * @param isLocal true for the local administrator, with the local operations
 * @throws Failure when two modules define the same path
 */
function routesIn(loaded: readonly LoadedTrustModule[], parts: TrustAppParts, isLocal = false) {
  const { trust, limits, modules, serverUrl } = parts;
  const auth = routeAuth(trust, limits, isLocal);
  return routesOf(
    loaded,
    {
      ...parts,
      auth,
      events: eventsOf(modules),
      secure: serverUrl.startsWith('https:'),
      hasExplorer: explorerSettings.explorer.in(parts.config) !== 'off',
    },
    ({ routes }) => routes,
    isLocal,
  );
}

/** Creates the trust service's application with its OpenAPI document. */
export function createTrustApp(parts: TrustAppParts): GrowingApp {
  const { modules, early, loaded, serverUrl } = parts;
  // Refuses two errors with one code.
  const table = errorTable([{ name: 'common', errors: commonErrors }, ...modules]);
  return documentedApp(parts, {
    dialect: trustDialect,
    early: () => routesIn(early, parts),
    routes: async () => routesIn(await loaded(), parts),
    documents: [
      {
        at: '',
        title: TITLE,
        includes: () => true,
        describe: () => trustApiDescription(modules, serverUrl),
        webhooks: async () =>
          (await import('../webhooks/documented-events.ts')).documentedEvents(eventsOf(modules)),
      },
    ],
    site: {
      unlisted: ['/api/', '/account', '/log/'],
      links: SITE_LINKS,
      securityContact: trustSettings.securityContact.in(parts.config),
      clock: parts.trust.clock,
    },
    descriptions: () => descriptionsOf(modules),
    errors: async () => ({ table, sets: (await import('../http/error-sets.ts')).errorSets, problemOf }),
    examples: async () => ({
      ...(await examplesOf(modules)),
      // The guide shows the events of all modules.
      getWebhookVerifyGuide: {
        '200': await (await import('../webhooks/get-verify-guide.ts')).guideOf(eventsOf(modules)),
      },
    }),
    payers: parts.trust.principals.payers,
    verifyPayer: (request) => parts.trust.principals.verifyPayer(request),
    publicReads: parts.trust.policy.rateLimits.publicReads,
  });
}

/**
 * Creates the application of the local administrator, which no listener serves: without rate limits, and
 * without traces in the metrics of requests.
 */
export function createLocalApp(parts: LocalAppParts): OperationApp {
  const local = {
    ...parts,
    limits: new RateLimiter({ on: false, trustedProxies: new BlockList() }),
    recorder: noopRecorder,
    version: '',
    serverUrl: '/',
    demonstration: null,
    checksResponses: false,
  };
  const routes = async (operationId: string | null) => {
    const loaded = operationId === null ? parts.loaded() : parts.describing(operationId);
    return routesIn(await loaded, local, true);
  };
  return operationApp(routes, { dialect: trustDialect, ...local });
}
