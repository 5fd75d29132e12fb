import type { AnyElysia } from 'elysia';
import { type AppContext, createApp } from '../http/app.ts';
import { operationsOf } from '../http/openapi/descriptions.ts';
import { lazy } from '../lazy.ts';

/** An operation that the local administrator calls. */
interface LocalOperation {
  method: string;
  /** With parameters, such as `/api/v1/receipts/:id`. */
  path: string;
  fetch(request: Request): Promise<Response>;
}

/** The application of the local administrator, which no listener serves. */
export interface OperationApp {
  /** Returns all operations by their operationId. */
  operations(): Promise<ReadonlyMap<string, LocalOperation>>;
}

/**
 * Returns the application of the local administrator. An application of a few routes is created with the
 * first call of one of them: one of all routes would hold the main thread of a running server for 50 ms.
 * @param routes returns the routes, those of local operations included
 */
export function operationApp(
  routes: () => Promise<readonly AnyElysia[]>,
  context: Omit<AppContext, 'routes'>,
): OperationApp {
  return {
    operations: lazy(async () => {
      const operations = (await routes()).flatMap((plugin) => {
        const app = lazy(() => createApp({ ...context, routes: [plugin] }));
        const fetch = (request: Request): Promise<Response> => app().fetch(request);
        return operationsOf(plugin).map(([operation, route]) => [operation, { ...route, fetch }] as const);
      });
      return new Map(operations);
    }),
  };
}
