import type { AnyElysia } from 'elysia';
import type { Logger } from 'pino';
import type { Observer } from '../monitoring/recorder.ts';
import { type App, createApp } from './app.ts';
import type { Dialect } from './errors/errors.ts';
import { type Demonstration, demonstrated, foreignHost } from './openapi/demonstration.ts';
import { createDocs } from './openapi/docs.ts';
import type { ApiDescription, OperationExamples } from './openapi/openapi.ts';
import type { Limits } from './request/rate-limits.ts';

/** What the application of a service is made of, beside what is its own. */
export interface AppParts<LoadedModule> {
  modules: readonly LoadedModule[];
  limits: Limits;
  log: Logger;
  observer: Observer;
  version: string;
  /** Where clients reach it, `/` being wherever the documentation was fetched from. */
  serverUrl: string;
  /** What it says about itself as a demonstration; null where it is none. */
  demonstration: Demonstration | null;
}

/** How a service answers, and what its documentation says beside its routes. */
interface Answers {
  dialect: Dialect;
  title: string;
  /** Called for the server, and once more when somebody asks for the documentation. */
  routes(): readonly AnyElysia[];
  describe(): ApiDescription;
  examples(): Promise<OperationExamples>;
}

/** The application of a service, with its documentation. */
export function documentedApp(
  {
    log,
    limits,
    observer,
    demonstration,
  }: Pick<AppParts<unknown>, 'log' | 'limits' | 'observer' | 'demonstration'>,
  { dialect, title, routes, describe, examples }: Answers,
): App {
  const document = async () => {
    const { openApiDocument } = await import('./openapi/openapi.ts');
    const api = describe();
    const described = demonstration === null ? api : demonstrated(api, demonstration);
    return openApiDocument(routes(), described, await examples());
  };
  const docs = createDocs(title, document, demonstration);
  const hostFault = demonstration === null ? undefined : foreignHost;
  return createApp(dialect, log, limits, routes(), docs, observer, hostFault);
}
