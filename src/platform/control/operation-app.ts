import type { AnyElysia } from 'elysia';
import { asFailure, exitCodeOf, Failure, hintOf } from '../failure.ts';
import { type AppContext, createApp, type Problem } from '../http/app.ts';
import { ApiError, textOf } from '../http/errors/errors.ts';
import { operationsOf } from '../http/openapi/descriptions.ts';
import { lazy } from '../lazy.ts';
import { isPlainText } from '../network/plain-text.ts';

/** An operation that the local administrator calls. */
interface LocalOperation {
  method: string;
  /** With parameters, such as `/api/v1/receipts/:id`. */
  path: string;
  /** Returns the body of the response. @throws Failure with the error of the operation */
  perform(request: Request): Promise<unknown>;
}

/** The application of the local administrator, which no listener serves. */
export interface OperationApp {
  /** Returns all operations by their operationId. */
  operations(): Promise<ReadonlyMap<string, LocalOperation>>;
  /** Returns the operation with an operationId; null for none. Loads as little as it needs. */
  operation(operationId: string): Promise<LocalOperation | null>;
}

/**
 * Returns the application of the local administrator. An application of a few routes is created with the
 * first call of one of them: one of all routes would hold the main thread of a running server for 50 ms.
 * @param routes returns the routes, those of local operations included: for an operationId at least those of
 * its capability, and all for null
 */
export function operationApp(
  routes: (operationId: string | null) => Promise<readonly AnyElysia[]>,
  context: Omit<AppContext, 'routes' | 'onProblem'>,
): OperationApp {
  const failures = new WeakMap<Request, Failure>();
  const onProblem: AppContext['onProblem'] = (request, error, problem) =>
    void failures.set(request, failureOf(error, problem));
  const load = async (operationId: string | null): Promise<ReadonlyMap<string, LocalOperation>> => {
    const operations = (await routes(operationId)).flatMap((plugin) => {
      const app = lazy(() => createApp({ ...context, routes: [plugin], onProblem }));
      const perform = async (request: Request): Promise<unknown> => {
        const response = await app().fetch(request);
        const failure = failures.get(request) ?? null;
        if (failure !== null) throw failure;
        if (!response.ok) throw new Error(`the operation failed with status ${response.status}`);
        return isPlainText(response.headers) ? response.text() : response.json();
      };
      return operationsOf(plugin).map(([operation, route]) => [operation, { ...route, perform }] as const);
    });
    return new Map(operations);
  };
  const known = new Map<string, LocalOperation>();
  return {
    operations: lazy(() => load(null)),
    async operation(operationId) {
      if (!known.has(operationId)) {
        // All of its capability, whose operations share one application.
        for (const [id, operation] of await load(operationId)) if (!known.has(id)) known.set(id, operation);
      }
      return known.get(operationId) ?? null;
    },
  };
}

/** Returns an error as the local administrator sees it, who may see the reason of a failure too. */
function failureOf(error: unknown, { definition, details: { message, issues } }: Problem): Failure {
  if (definition.status >= 500 && !(error instanceof ApiError)) return asFailure(error);
  const text = message ?? textOf(definition);
  if (issues !== undefined) return asFailure(Object.assign(new Error(text), { details: { issues } }));
  const exitCode = exitCodeOf(definition.status);
  return new Failure(`${definition.code}: ${text}`, hintOf(exitCode), exitCode);
}
