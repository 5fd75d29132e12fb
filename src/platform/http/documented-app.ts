import type { AnyElysia } from 'elysia';
import type { Logger } from 'pino';
import type { MetricsRecorder } from '../monitoring/recorder.ts';
import { type App, createApp } from './app.ts';
import type { Dialect } from './errors/errors.ts';
import { type Demonstration, demonstrated, foreignHost } from './openapi/demonstration.ts';
import { createDocs } from './openapi/docs.ts';
import type { ApiDescription, OperationExamples } from './openapi/openapi.ts';
import type { RateLimiter } from './request/rate-limits.ts';

/** What the application of a service is made of, beside what is its own. */
export interface AppParts<Module, LoadedModule> {
  modules: readonly Module[];
  /** Those of them whose routes are there from the start. */
  early: readonly LoadedModule[];
  /** Loads all of them. */
  loaded(): Promise<readonly LoadedModule[]>;
  limits: RateLimiter;
  log: Logger;
  recorder: MetricsRecorder;
  version: string;
  /** Where clients reach it, `/` being wherever the documentation was fetched from. */
  serverUrl: string;
  /** What it says about itself as a demonstration; null where it is none. */
  demonstration: Demonstration | null;
}

/** An application that answers before all of it is loaded. */
export interface GrowingApp extends App {
  /** Loads all of it. @throws Failure for two routes of one path */
  load(): Promise<unknown>;
}

/** How a service answers, and what its documentation says beside its routes. */
interface Answers {
  dialect: Dialect;
  title: string;
  /** Those that are there from the start. */
  early(): readonly AnyElysia[];
  /** All of them. Called for the server, and once more when somebody asks for the documentation. */
  routes(): Promise<readonly AnyElysia[]>;
  describe(): ApiDescription;
  examples(): Promise<OperationExamples>;
}

/**
 * The application of a service, with its documentation. It answers by its early routes at once; a request for any other waits until all
 * of them are loaded.
 */
export function documentedApp(
  {
    log,
    limits,
    recorder,
    demonstration,
  }: Pick<AppParts<unknown, unknown>, 'log' | 'limits' | 'recorder' | 'demonstration'>,
  { dialect, title, early, routes, describe, examples }: Answers,
): GrowingApp {
  const document = async () => {
    const { openApiDocument } = await import('./openapi/openapi.ts');
    const api = describe();
    const described = demonstration === null ? api : demonstrated(api, demonstration);
    return openApiDocument(await routes(), described, await examples());
  };
  const firstRoutes = early();
  const firstPaths = new Set(firstRoutes.flatMap((plugin) => plugin.routes.map(({ path }) => path)));
  const common = {
    dialect,
    log,
    limits,
    recorder,
    ...(demonstration === null ? {} : { hostFault: foreignHost }),
  };
  const first = createApp({ ...common, routes: firstRoutes, compiles: false });
  let whole: App | null = null;
  let loading: Promise<App> | null = null;
  const load = (): Promise<App> => {
    loading ??= routes().then((all) => {
      const docs = createDocs(title, document, demonstration);
      whole = createApp({ ...common, routes: all, docs });
      return whole;
    });
    return loading;
  };
  return {
    load,
    unavailable: first.unavailable,
    fetch(request, peer) {
      if (whole !== null) return whole.fetch(request, peer);
      const isFirst = firstPaths.has(URL.parse(request.url)?.pathname ?? '');
      return isFirst ? first.fetch(request, peer) : load().then((app) => app.fetch(request, peer));
    },
  };
}
