import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { asFailure, CORRECT_THE_VALUE, Failure } from '../failure.ts';
import type { GrowingApp } from '../http/documented-app.ts';
import { strictObject } from '../http/schema.ts';
import { Action, type Handler } from './action.ts';

const values = Type.Record(Type.String(), Type.String());

/** A call of an operation of the API: its operationId, the parameters of its path and query, and its body. */
const OperationCall = strictObject({
  operation: Type.String(),
  params: values,
  query: values,
  body: Type.Optional(Type.Unknown()),
});
export type OperationCall = Static<typeof OperationCall>;

/** The part of an application that the local administrator calls. */
export type OperationApp = Pick<GrowingApp, 'fetch' | 'operations'>;

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
  handle: async (_context, input) => operationAction.handle(await open(), input),
});

/** Performs an operation. @throws Failure with the error of the operation */
async function performOperation(
  app: OperationApp,
  { operation, params, query, body }: OperationCall,
): Promise<unknown> {
  const route = (await app.operations()).get(operation);
  if (route === undefined) {
    throw new Failure(
      `the running server has no operation ${operation}`,
      'use the executable of the running server, or restart the server with this one',
    );
  }
  const { method } = route;
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => pathSegment(name, params[name]));
  const url = new URL(path, 'http://local-administrator');
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const headers = { 'content-type': 'application/json' };
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
  const response = await app.fetch(new Request(url.href, init));
  const result: unknown = await response.json();
  if (response.ok) return result;
  throw failureOf(result, response.status);
}

/**
 * Returns a parameter as a segment of a path. @throws Failure (exit code 2) for one that would lead to
 * another path
 */
function pathSegment(name: string, value = ''): string {
  if (!/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new Failure(`${name} must not be "${value}"`, CORRECT_THE_VALUE, 2);
}

/**
 * The members of an error of any service that a command shows: the message, and the invalid fields with what
 * is wrong.
 */
const ErrorBody = Type.Object({
  error: Type.String(),
  issues: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});

/** Returns the failure of a command from an error of the API, which says what to do in its message. */
function failureOf(body: unknown, status: number): Failure {
  if (!Value.Check(ErrorBody, body)) {
    return new Failure(`the operation failed with status ${status}`, 'look into the log of the server');
  }
  return asFailure(Object.assign(new Error(body.error), { details: { issues: body.issues } }));
}
