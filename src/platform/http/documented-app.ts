import type { AnyElysia } from 'elysia';
import type { Logger } from 'pino';
import type { MetricsRecorder } from '../monitoring/recorder.ts';
import { KnownPayers } from '../turns/payers.ts';
import { type App, createApp } from './app.ts';
import type { Dialect, ErrorTable } from './errors/errors.ts';
import {
  type Demonstration,
  demonstrated,
  demonstratedExamples,
  foreignHost,
} from './openapi/demonstration.ts';
import type { OperationTexts } from './openapi/descriptions.ts';
import type { ApiDescription, OperationExamples } from './openapi/openapi.ts';
import type { OperationErrors } from './openapi/problems.ts';
import type { Site } from './openapi/site-files.ts';
import type { WebhookTable } from './openapi/webhooks.ts';
import type { RateLimit, RateLimiter } from './request/rate-limits.ts';

/** The common parts of a service's application. */
export interface AppParts<Module, LoadedModule> {
  modules: readonly Module[];
  /** The modules whose routes are ready from the start. */
  early: readonly LoadedModule[];
  /** Loads all modules. */
  loaded(): Promise<readonly LoadedModule[]>;
  limits: RateLimiter;
  log: Logger;
  recorder: MetricsRecorder;
  version: string;
  /** The URL of the service for the documentation; `/` means the origin of the document. */
  serverUrl: string;
  /** The texts of a demonstration; null for other services. */
  demonstration: Demonstration | null;
  /** Whether what handlers return is compared with its schema before it is sent. */
  checksResponses: boolean;
}

/** An application that serves requests while parts of it are still loading. */
export interface GrowingApp extends App {
  /** Loads all parts. @throws Failure for two routes with one path */
  load(): Promise<unknown>;
  /** Returns what the service declares. */
  declared(): Promise<Declared>;
}

/** What a service declares. */
export interface Declared {
  operations: readonly DeclaredOperation[];
  errors: ErrorTable;
  dialect: Dialect;
}

/** An operation of a service. */
interface DeclaredOperation {
  operationId: string;
  method: string;
  /** Its pattern, such as `/api/v1/receipts/:id`. */
  path: string;
}

/** An OpenAPI document of a service, and its page. */
export interface ServiceDocument {
  /** The path before `/swagger` and `/openapi.json`; empty for the document that users read. */
  at: string;
  title: string;
  /** Whether the routes of a plugin are in this document. */
  includes(plugin: AnyElysia): boolean;
  describe(): ApiDescription;
  /** The events that the service sends to the readers of the document. */
  webhooks(): Promise<WebhookTable>;
}

/** The routes of a service and the texts of its documentation. */
interface AppContents {
  dialect: Dialect;
  /** Returns the routes that are ready from the start. */
  early(): readonly AnyElysia[];
  /** Returns all routes. Called for the server, and again for the first request for the documentation. */
  routes(): Promise<readonly AnyElysia[]>;
  documents: readonly ServiceDocument[];
  /** What `robots.txt`, `security.txt` and `llms.txt` say. */
  site: Site;
  examples(): Promise<OperationExamples>;
  /** Returns the texts of all operations. Called with the first request for the documentation. */
  descriptions(): Promise<OperationTexts>;
  /** Returns the errors that the descriptions name. Called with the first request for the documentation. */
  errors(): Promise<OperationErrors>;
  /** The payers of known keys; none by default. */
  payers?: KnownPayers;
  /** Verifies a request's credential, so that its payer is known. */
  verifyPayer?(request: Request): Promise<unknown>;
  /** The limit of reads that need no key, which also counts the documentation. */
  publicReads: RateLimit;
}

/**
 * Returns the application of a service with its documentation. Its early routes respond immediately; a
 * request for any other route waits until all are loaded.
 */
export function documentedApp(
  {
    log,
    limits,
    recorder,
    demonstration,
    checksResponses,
  }: Pick<AppParts<unknown, unknown>, 'log' | 'limits' | 'recorder' | 'demonstration' | 'checksResponses'>,
  {
    dialect,
    early,
    routes,
    documents,
    site,
    examples,
    descriptions,
    errors,
    payers = new KnownPayers(),
    verifyPayer = async () => undefined,
    publicReads,
  }: AppContents,
): GrowingApp {
  const apiOf = ({ describe }: ServiceDocument) => {
    const api = describe();
    return demonstration === null ? api : demonstrated(api, demonstration);
  };
  const pages = documents.map((document) => ({
    at: document.at,
    title: document.title,
    describe: () => apiOf(document),
    async document() {
      const { openApiDocument } = await import('./openapi/openapi.ts');
      const { checkDescriptions } = await import('./openapi/descriptions.ts');
      const { problemResponses } = await import('./openapi/problems.ts');
      const all = await routes();
      const texts = await descriptions();
      checkDescriptions(texts, all);
      const common = await examples();
      const shown = demonstration === null ? common : await demonstratedExamples(common, demonstration);
      return openApiDocument(all.filter(document.includes), apiOf(document), {
        descriptions: texts,
        problemsOf: problemResponses(await errors()),
        examples: shown,
        webhooks: await document.webhooks(),
      });
    },
  }));
  const firstRoutes = early();
  const firstPaths = new Set(firstRoutes.flatMap((plugin) => plugin.routes.map(({ path }) => path)));
  const common = {
    dialect,
    log,
    limits,
    payers,
    verifyPayer,
    recorder,
    checksResponses,
    ...(demonstration === null ? {} : { hostFault: foreignHost }),
  };
  const first = createApp({ ...common, routes: firstRoutes });
  let whole: App | null = null;
  let loading: Promise<App> | null = null;
  const load = (): Promise<App> => {
    loading ??= routes().then(async (all) => {
      const { createDocs } = await import('./openapi/docs.ts');
      const hasHomePage = all.some((plugin) => plugin.routes.some(({ path }) => path === '/'));
      const docs = createDocs(pages, site, demonstration, hasHomePage, (request) =>
        limits.count(request, publicReads),
      );
      whole = createApp({ ...common, routes: all, docs });
      return whole;
    });
    return loading;
  };
  return {
    load,
    async declared() {
      const plugins = await routes();
      const operations = plugins.flatMap((plugin) =>
        plugin.routes.flatMap(({ method, path, hooks }) => {
          const operationId = hooks.detail?.operationId;
          return operationId === undefined ? [] : [{ operationId, method, path }];
        }),
      );
      return { operations, errors: (await errors()).table, dialect };
    },
    payerOf: first.payerOf,
    // The form of an error depends on its route, which only the whole application knows.
    unavailable: (request) => (whole ?? first).unavailable(request),
    verifiedPayerOf: first.verifiedPayerOf,
    busy: (request) => (whole ?? first).busy(request),
    fetch(request, peer) {
      if (whole !== null) return whole.fetch(request, peer);
      const isFirst = firstPaths.has(URL.parse(request.url)?.pathname ?? '');
      return isFirst ? first.fetch(request, peer) : load().then((app) => app.fetch(request, peer));
    },
  };
}
