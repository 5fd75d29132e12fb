import { ApiError, Refusal } from '../../../../platform/http/errors/errors.ts';
import { readJsonValue } from '../../../../platform/http/request/body.ts';
import { slices } from '../../../../platform/turns/slices.ts';
import { anotherTurn } from '../../../../platform/turns/visits.ts';
import { jsonPieceSteps } from '../../../../proof/encoding/canonical-steps.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../proof/encoding/json.ts';
import { commonErrors } from '../../../http/errors.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import type { RouteAuth } from '../../../operators/auth/route-auth.ts';
import { operatorPayer } from '../../../operators/quotas/authorities.ts';
import { ParamsReader } from '../messages/params.ts';
import { RpcError } from '../messages/rpc-error.ts';
import type { StreamCaller } from '../streams/stream-slots.ts';
import type { RpcContext } from './methods.ts';
import { methodOf } from './methods.ts';

/** The most calls of a batch. */
const MAX_BATCH = 50;
/**
 * The characters of results, including those of notifications, after which no further call of a batch is run.
 * A task can have two million.
 */
const MOST_RESPONSES = 4_194_304;
/** The milliseconds after which no further call of a batch is run. One call can take three seconds. */
const MOST_BATCH_MS = 10_000;
/** The characters of the id of a stream, as JSON: each event has it. */
const MOST_STREAM_ID = 256;
/** The versions of the protocol that the endpoint has. */
const VERSIONS: ReadonlySet<string> = new Set(['0.1', '0.2', '0.3', '1.0']);

type Id = string | number | null;
type Headers = Record<string, string | number>;

/** One call of a request, or its error. */
type Item =
  | { method: string; params: JsonObject; id: Id; isNotification: boolean; fault: null }
  | { id: Id; isNotification: boolean; fault: RpcError };

/** A body: a JSON value, or the error for text that is no JSON. */
export type RpcBody = { value: JsonValue } | { fault: RpcError };

/** Reads the body of a request. @throws Refusal media_type, too_large, overloaded */
export async function readRpcBody(request: Request): Promise<RpcBody> {
  try {
    const value = await readJsonValue(request);
    return value === undefined ? { fault: new RpcError('parse', 'the body is empty.') } : { value };
  } catch (error) {
    const isFault = error instanceof Refusal && (error.cause === 'invalid_json' || error.cause === 'invalid');
    if (!isFault) throw error;
    return { fault: new RpcError('parse', error.message) };
  }
}

/** Who calls: the principal of a key, and the error for a key that is missing or wrong. */
interface Caller {
  principal: Principal | null;
  refusal: unknown;
}

/**
 * Returns who calls. The error for a wrong key waits until the body says whether it needs a key, because a
 * body that is no JSON is reported first.
 * @throws Refusal rate
 */
export async function callerOf(
  { byMethod }: Pick<RouteAuth, 'byMethod'>,
  request: Request,
  headers: Headers,
): Promise<Caller> {
  if (!request.headers.has('authorization') && !request.headers.has('cookie')) {
    Object.assign(headers, await byMethod.countPublic(request));
    return { principal: null, refusal: commonErrors.unauthorized() };
  }
  try {
    return { principal: await byMethod.authenticate(request, 'reading', headers), refusal: null };
  } catch (error) {
    if (error instanceof ApiError) return { principal: null, refusal: error };
    throw error;
  }
}

/** A request to the endpoint. */
export interface RpcRequest {
  trust: RpcContext;
  auth: Pick<RouteAuth, 'byMethod' | 'callerOf'>;
  request: Request;
  headers: Headers;
  caller: Caller;
  body: RpcBody;
}

/**
 * Handles a call or a batch of calls by JSON-RPC 2.0. Calls of a batch run one after the other, each in a
 * turn of its own. The failure of one does not affect the responses of the others. No call begins after the
 * client has disconnected.
 * @returns the JSON of the response, or the body of a stream; null if all calls are notifications
 * @throws ApiError unauthorized, forbidden; Refusal rate for too many streams
 */
export async function handleRpc(
  rpcRequest: RpcRequest,
): Promise<string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null> {
  const { body } = rpcRequest;
  if ('fault' in body) return JSON.stringify(failure(null, body.fault));
  const { value } = body;
  if (!Array.isArray(value)) {
    const item = itemOf(value);
    await requireKey(rpcRequest, [item]);
    const stream = await streamOf(rpcRequest, item);
    if (stream !== null) return stream;
    const parts = await partsOf(await runItem(rpcRequest, item, asRpcError));
    return item.isNotification ? null : bytesOf(parts);
  }
  if (value.length === 0)
    return JSON.stringify(failure(null, new RpcError('request', 'the batch is empty.')));
  if (value.length > MAX_BATCH) {
    const error = new RpcError('request', `the batch has more than ${MAX_BATCH} calls.`);
    return JSON.stringify(failure(null, error));
  }
  const items = value.map(itemOf).map(withoutStream);
  await requireKey(rpcRequest, items);
  const parts: string[] = [];
  const end = performance.now() + MOST_BATCH_MS;
  let left = MOST_RESPONSES;
  for (const [index, item] of items.entries()) {
    if (index > 0) await anotherTurn();
    if (rpcRequest.request.signal.aborted) break;
    const isTime = left > 0 && performance.now() < end;
    const response = await partsOf(isTime ? await runItem(rpcRequest, item, asErrorInBatch) : notRun(item));
    left -= lengthOf(response);
    if (!item.isNotification) parts.push(parts.length === 0 ? '[' : ',', ...response);
  }
  return parts.length === 0 ? null : bytesOf([...parts, ']']);
}

/**
 * Opens the stream that a call asks for; null for any other call, and for one without an id, which gets no
 * response. The slot is taken before the call does anything.
 * @returns the body of the stream, or the JSON of an error
 */
async function streamOf(
  rpcRequest: RpcRequest,
  item: Item,
): Promise<string | ReadableStream<Uint8Array> | null> {
  if (item.fault !== null || item.isNotification) return null;
  const { trust, auth, request, caller } = rpcRequest;
  const { principal } = caller;
  const stream = methodOf(item.method)?.stream;
  if (stream === undefined) return null;
  const id = JSON.stringify(item.id);
  let free: () => void = () => undefined;
  try {
    requireVersion(request);
    if (id.length > MOST_STREAM_ID)
      throw new RpcError('request', `the id of a stream has at most ${MOST_STREAM_ID} characters.`);
    const authority = principal?.authority ?? null;
    if (authority !== null && !(await authority.isActive()))
      throw new RpcError(
        'refused',
        'the key can only read, so it can open no stream. Read the task instead.',
      );
    free = trust.taskStreams.take(streamCallerOf(principal, auth.callerOf(request)));
    const params = new ParamsReader(item.params);
    const task = await stream.begin({ trust, principal, params });
    return await trust.taskStreams.open(task.taskId, { ...stream, ...task, id, authority }, free);
  } catch (error) {
    free();
    return JSON.stringify(failure(item.id, asRpcError(error)));
  }
}

function streamCallerOf(principal: Principal | null, address: string): StreamCaller {
  return principal === null
    ? { name: `address ${address}`, hasKey: false, isAnybody: true }
    : {
        name: `operator ${principal.operatorSeq}`,
        hasKey: true,
        isAnybody: operatorPayer(principal).isFree,
      };
}

/** Returns a call of a batch: a response of a batch is one JSON text, which has no room for a stream. */
function withoutStream(item: Item): Item {
  if (item.fault !== null || item.isNotification || methodOf(item.method)?.stream === undefined) return item;
  const fault = new RpcError('unsupported', 'a batch has no streams. Send the call by itself.');
  return { id: item.id, isNotification: false, fault };
}

/** Returns a response as parts of JSON. */
async function partsOf(response: JsonObject): Promise<string[]> {
  await slices.pause();
  return slices.run(jsonPieceSteps(response));
}

/** Encodes the parts of a response in slices. */
async function bytesOf(parts: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const encoded: Uint8Array[] = [];
  for (const part of parts) {
    await slices.pause();
    encoded.push(Buffer.from(part));
  }
  return Buffer.concat(encoded);
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

function notRun({ id }: Item): JsonObject {
  const details =
    'it was not run: the calls before it took 10 s, or their results 4 MiB. Send it again, in another batch.';
  return failure(id, new RpcError('refused', details, { reason: 'BATCH_TOO_LARGE' }));
}

/** Returns one call of a request. If its id is neither a string, a number nor null, the response has null. */
function itemOf(value: JsonValue): Item {
  const wrong = (details: string, id: Id): Item => ({
    id,
    isNotification: false,
    fault: new RpcError('request', details),
  });
  if (!isJsonObject(value)) return wrong('a call must be an object.', null);
  const { jsonrpc, method, params, id } = value;
  // JSON has no infinite number: the response could not repeat it.
  const knownId = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : null;
  if (id !== undefined && id !== null && knownId === null)
    return wrong('id must be a string, a finite number or null.', null);
  if (jsonrpc !== '2.0') return wrong('jsonrpc must be "2.0".', knownId);
  if (typeof method !== 'string') return wrong('method must be a string.', knownId);
  if (params !== undefined && (typeof params !== 'object' || params === null)) {
    return wrong('params must be an object.', knownId);
  }
  if (Array.isArray(params)) {
    return {
      id: knownId,
      isNotification: id === undefined,
      fault: new RpcError('params', 'params must be an object with named members.'),
    };
  }
  return { method, params: params ?? {}, id: knownId, isNotification: id === undefined, fault: null };
}

/**
 * Requires of the caller what the methods need. A wrong key is refused even if no key is needed: a client
 * that sends one expects to be identified.
 * @throws ApiError unauthorized, forbidden, scope_ended, agent_not_enrolled
 */
async function requireKey(
  { auth, request, headers, caller }: RpcRequest,
  items: readonly Item[],
): Promise<void> {
  const needs = items.map((item) =>
    item.fault === null ? (methodOf(item.method)?.needs ?? 'nothing') : 'nothing',
  );
  const isWrongKey = caller.principal === null && request.headers.has('authorization');
  if (isWrongKey && items.some(({ fault }) => fault === null)) throw caller.refusal;
  if (needs.every((one) => one === 'nothing')) return;
  if (caller.principal === null) throw caller.refusal;
  // The authority of writes is that of a key that may write, which the transaction checks again.
  if (needs.includes('write')) caller.principal = await auth.byMethod.authenticate(request, 'any', headers);
}

/**
 * Runs a call.
 * @param asError returns the error of the call, or throws it
 * @returns its response, which is not sent for a notification
 */
async function runItem(
  { trust, request, caller }: RpcRequest,
  item: Item,
  asError: (error: unknown) => RpcError,
): Promise<JsonObject> {
  const { id } = item;
  try {
    if (item.fault !== null) throw item.fault;
    requireVersion(request);
    const method = methodOf(item.method);
    if (method === null) throw new RpcError('method', `there is no method ${item.method.slice(0, 64)}.`);
    const params = new ParamsReader(item.params);
    const result: JsonValue = await method.run({ trust, principal: caller.principal, params });
    return { jsonrpc: '2.0', id, result };
  } catch (error) {
    return failure(id, asError(error));
  }
}

/**
 * Checks the version that a client names (A2A 1.0 section 3.6). The method determines that of the response.
 * @throws RpcError version
 */
function requireVersion({ headers }: Request): void {
  const version = headers.get('a2a-version')?.trim() ?? '';
  if (version === '' || VERSIONS.has(/^\d+\.\d+/.exec(version)?.[0] ?? '')) return;
  throw new RpcError('version', `the service has the versions ${[...VERSIONS].join(', ')}.`);
}

/** Returns the error of a call. @throws errors that concern the whole request, such as that of a key */
function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof ApiError && error.code === 'rate_limit_exceeded')
    return new RpcError('rate', error.message);
  if (error instanceof ApiError && (error.code === 'quota_exceeded' || error.code === 'clock_wrong')) {
    return new RpcError('refused', error.message, { reason: error.code.toUpperCase() });
  }
  throw error;
}

/** Returns the error of a call in a batch. @throws errors of the disk and of the program */
function asErrorInBatch(error: unknown): RpcError {
  const isAboutCall = !(error instanceof ApiError) || error.code === 'rate_limit_exceeded';
  return isAboutCall
    ? asRpcError(error)
    : new RpcError('refused', error.message, { reason: error.code.toUpperCase() });
}

function failure(id: Id, error: RpcError): JsonObject {
  return { jsonrpc: '2.0', id, error: error.toJSON() };
}
