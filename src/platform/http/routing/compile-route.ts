import { type TSchema, Type } from '@sinclair/typebox';
import type { ValueError } from '@sinclair/typebox/errors';
import { type AnySchema, getSchemaValidator, type InternalRoute } from 'elysia';
import { lazy } from '../../lazy.ts';
import { Refusal } from '../errors/errors.ts';
import { issuesOf } from '../errors/issues.ts';
import { readJson } from '../request/body.ts';
import { refuseParameters } from '../request/parameters.ts';
import type { Exchange } from './exchange.ts';
import { bodyOf, responseOf } from './response.ts';
import { type Serializer, serializerOf } from './serializer.ts';

/** The schema of a response that is not described. */
const NOTHING = Type.Undefined();

/** Handles a request of a route. Rejects with what a step or the handler throws. */
export type CompiledRoute = (exchange: Exchange) => Promise<Response>;

/** How the routes of an application are compiled. */
export interface RouteSettings {
  /** Whether what handlers return is compared with its schema before it is sent. */
  checksResponses: boolean;
}

/** A step of a route. What it returns becomes members of the exchange. */
type Step = (exchange: Exchange) => unknown;

interface Validator {
  /** Whether the value may be missing. */
  isOptional: boolean;
  Check(value: unknown): boolean;
  Errors(value: unknown): Iterable<ValueError>;
}

/**
 * Compiles what the framework declares for a route: its own handlers parse cookies, headers and bodies that
 * this application reads itself or not at all, which takes a third of the time of a small request. The steps
 * are those of the framework: `transform`, which authenticates and reads the body; the schemas of path,
 * query and body; `resolve`; the handler. With `parse: 'none'`, the handler reads the body itself.
 */
export function compileRoute(
  { handler, hooks }: Pick<InternalRoute, 'handler' | 'hooks'>,
  { checksResponses }: RouteSettings,
): CompiledRoute {
  const declared = stepsOf(hooks.transform);
  const isBodyOfHandler = hooks.parse?.some(({ fn }: { fn: unknown }) => fn === 'none') ?? false;
  const isLocal = declared.length === 0 && hooks.body !== undefined && !isBodyOfHandler;
  const before = isLocal ? [readBody] : declared;
  const after: readonly Step[] = stepsOf(hooks.beforeHandle);
  const handle = isStep(handler) ? handler : () => handler;
  const params = validatorOf(hooks.params);
  const query = validatorOf(hooks.query);
  const body = isBodyOfHandler ? null : validatorOf(hooks.body);
  const writerOf = writersOf(hooks.response);
  return async (exchange) => {
    for (const step of before) {
      const running = step(exchange);
      if (running instanceof Promise) await running;
    }
    if (params !== null) requireValid(params, exchange.params);
    if (query !== null) requireValid(query, exchange.query);
    if (body !== null && !(exchange.body === null && body.isOptional)) requireValid(body, exchange.body);
    refuseParameters(exchange.request);
    for (const step of after) {
      const members = step(exchange);
      Object.assign(exchange, members instanceof Promise ? await members : members);
    }
    const handled = handle(exchange);
    const returned = bodyOf(handled instanceof Promise ? await handled : handled, exchange.set);
    const write = writerOf(exchange.set.status);
    if (checksResponses && !(returned instanceof Response)) requireDescribed(write, returned);
    return responseOf(returned, exchange.set, write.json);
  };
}

/** The only step of a route without authentication that has a body: one of the local administrator. */
const readBody: Step = async (exchange) => {
  exchange.body = await readJson(exchange.request);
};

/** Returns whether a handler is a function; else it is the response itself. */
function isStep(handler: unknown): handler is Step {
  return typeof handler === 'function';
}

function stepsOf(hooks: readonly (Step | { fn: Step })[] | undefined): readonly Step[] {
  return (hooks ?? []).map((hook) => (typeof hook === 'function' ? hook : hook.fn));
}

function validatorOf(schema: AnySchema | undefined): Validator | null {
  return schema === undefined ? null : getSchemaValidator(schema, { normalize: false });
}

/** The responses of a route with one status. */
interface ResponseWriter {
  json: Serializer;
  /** Returns how a body differs from its schema; null where it does not. */
  faultOf(body: unknown): string | null;
}

/** Returns a function of the status. What no schema describes is not sent as JSON. */
function writersOf(
  schemas: Readonly<Record<number, TSchema>> | undefined,
): (status: number) => ResponseWriter {
  const known = new Map<number, ResponseWriter>();
  return (status) => {
    const writer = known.get(status) ?? writerOf(schemas === undefined ? null : (schemas[status] ?? NOTHING));
    known.set(status, writer);
    return writer;
  };
}

function writerOf(schema: TSchema | null): ResponseWriter {
  if (schema === null) return { json: JSON.stringify, faultOf: () => null };
  const json = serializerOf(schema);
  const validator = lazy(() => getSchemaValidator(schema, { normalize: false }));
  return {
    json,
    faultOf(body) {
      if (!validator().Check(body)) return JSON.stringify(issuesOf(validator().Errors(body)));
      const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
      const isWhole = !isJson || json(body) === JSON.stringify(body);
      return isWhole ? null : 'it has members that are not sent';
    },
  };
}

function requireValid(validator: Validator, value: unknown): void {
  if (!validator.Check(value)) throw new Refusal('invalid', { issues: issuesOf(validator.Errors(value)) });
}

function requireDescribed({ faultOf }: ResponseWriter, body: unknown): void {
  const fault = faultOf(body);
  if (fault !== null) throw new Error(`the response is not as described: ${fault}`);
}
