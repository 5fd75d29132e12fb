import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Failure } from '../failure.ts';
import { nullable, strictObject } from '../http/schema.ts';
import { pathSegment } from '../path-segment.ts';
import { Action, type Handler } from './action.ts';
import type { OperationApp } from './operation-app.ts';

/** A call of an operation of the API by the local administrator. */
const OperationCall = strictObject({
  /** Its operationId. */
  operation: Type.String(),
  /** The operator that the local administrator acts for; null for none. */
  operator: nullable(Type.String()),
  /** The parameters of its path, and those of its query or the members of its body, by name. */
  arguments: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 100 }),
});
export type OperationCall = Static<typeof OperationCall>;

/** The operators of the calls that are under way. No request of a client is among them. */
const operators = new WeakMap<Request, string>();

/** Returns the operator for whom the local administrator makes a request; null for nobody. */
export const operatorOfCall = (request: Request): string | null => operators.get(request) ?? null;

/**
 * The action that performs an operation of the API as the local administrator. The same rules and schemas
 * apply as over HTTP.
 */
export const operationAction = new Action({
  name: 'operation',
  input: OperationCall,
  output: Type.Unknown(),
  run: (app: OperationApp, call) => performOperation(app, call),
});

/** Returns the action for a server, whose application is opened with the first call. */
export const operationHandler = (open: () => Promise<OperationApp>): Handler<unknown> => ({
  name: operationAction.name,
  isPolled: false,
  logged(input) {
    if (!Value.Check(OperationCall, input)) return {};
    const { operation, operator } = input;
    return { operation, operator };
  },
  handle: async (_context, input) => operationAction.handle(await open(), input),
});

/** Performs an operation. @throws Failure with the error of the operation */
async function performOperation(
  app: OperationApp,
  { operation, operator, arguments: values }: OperationCall,
): Promise<unknown> {
  const route = await app.operation(operation);
  if (route === null) {
    throw new Failure(
      `the running server has no operation ${operation}`,
      'use the executable of the running server, or restart the server with this one',
    );
  }
  const request = requestOf(route, values);
  if (operator !== null) operators.set(request, operator);
  return route.perform(request);
}

/** Returns the request of a call. Values that are not in the path are in the query (GET, DELETE) or body. */
function requestOf(
  { method, path: template }: { method: string; path: string },
  values: Readonly<Record<string, unknown>>,
): Request {
  const rest = new Map(Object.entries(values));
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const segment = pathSegment(name, String(rest.get(name) ?? ''));
    rest.delete(name);
    return segment;
  });
  const url = new URL(path, 'http://local-administrator');
  if (method === 'GET' || method === 'DELETE') {
    for (const [name, value] of rest) url.searchParams.append(name, String(value));
    return new Request(url.href, { method });
  }
  const headers = { 'content-type': 'application/json' };
  return new Request(url.href, { method, headers, body: JSON.stringify(Object.fromEntries(rest)) });
}
