import type { ParamsReader } from './params.ts';

const MOST_URL = 2048;
const MOST_SECRET = 4096;
/** What a header of HTTP can have (RFC 9110 section 5.5), without anything beside ASCII. */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const SCHEME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;

/** A configuration of push notifications, as a client sent it. */
export interface PushRequest {
  /** null where the service chooses it. */
  id: string | null;
  url: string;
  /** Sent as X-A2A-Notification-Token. */
  token: string | null;
  /** The HTTP authentication scheme, such as Bearer. */
  scheme: string | null;
  credentials: string | null;
}

/** Reads a configuration: `authentication.schemes` is of 0.1 to 0.3, `authentication.scheme` of 1.0. */
export function readPushConfig(reader: ParamsReader): PushRequest {
  const url = reader.text('url', MOST_URL) ?? '';
  if (url === '') reader.wrong('url', 'is required');
  const authentication = isThere(reader, 'authentication') ? reader.inside('authentication') : null;
  const schemes = authentication?.texts('schemes', 64) ?? [];
  const scheme = authentication?.text('scheme', 64) ?? schemes[0] ?? null;
  const credentials =
    authentication !== null && isThere(authentication, 'credentials')
      ? authentication.text('credentials', MOST_SECRET)
      : null;
  const token = isThere(reader, 'token') ? reader.text('token', MOST_SECRET) : null;
  if (scheme !== null && !SCHEME.test(scheme))
    authentication?.wrong('scheme', 'is no HTTP authentication scheme');
  for (const [from, name, text] of [
    [reader, 'token', token] as const,
    [authentication, 'credentials', credentials] as const,
  ]) {
    if (text !== null && !HEADER_TEXT.test(text)) from?.wrong(name, 'must be printable ASCII, for a header');
  }
  if (credentials !== null && scheme === null)
    authentication?.wrong('scheme', 'is required with credentials');
  return { id: isThere(reader, 'id') ? reader.id('id') : null, url, token, scheme, credentials };
}

/** Returns whether a member is there: ProtoJSON writes an absent text as an empty one. */
function isThere(reader: ParamsReader, name: string): boolean {
  return reader.value(name) !== '' && reader.value(name) !== null;
}

/** A configuration of a task, and its id there. */
export interface PushConfigRef {
  taskId: string;
  /** null for the only one (0.1, 0.2). */
  configId: string | null;
}

/**
 * Reads `{taskId, pushNotificationConfig}` (0.2, 0.3) and `{id, pushNotificationConfig}` (0.1).
 * @throws RpcError
 */
export function readSetPush(
  params: ParamsReader,
  idName: 'id' | 'taskId',
): { taskId: string; push: PushRequest } {
  const taskId = params.requiredId(idName);
  const config = params.inside('pushNotificationConfig');
  if (config === null) params.wrong('pushNotificationConfig', 'is required');
  const push = readPushConfig(config ?? params);
  params.finish();
  return { taskId, push };
}

/** Reads the params of `CreateTaskPushNotificationConfig` (1.0). @throws RpcError */
export function readCreatePush(params: ParamsReader): { taskId: string; push: PushRequest } {
  const taskId = params.requiredId('taskId');
  const push = readPushConfig(params);
  params.finish();
  return { taskId, push };
}

/** Reads which configuration to get or delete, in 0.1 to 0.3. @throws RpcError */
export function readPushRef(params: ParamsReader): PushConfigRef {
  const ref = { taskId: params.requiredId('id'), configId: params.id('pushNotificationConfigId') };
  params.finish();
  return ref;
}

/** Reads which configuration to get or delete, in 1.0. @throws RpcError */
export function readPushRef10(params: ParamsReader): PushConfigRef {
  const ref = { taskId: params.requiredId('taskId'), configId: params.requiredId('id') };
  params.finish();
  return ref;
}

/** Reads the task whose configurations to list. @throws RpcError */
export function readPushTask(params: ParamsReader, idName: 'id' | 'taskId'): string {
  const taskId = params.requiredId(idName);
  params.finish();
  return taskId;
}
