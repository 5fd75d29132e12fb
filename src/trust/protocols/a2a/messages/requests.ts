import type { TaskState } from '../../../../../db/trust/a2a-enums.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import { parseTimestamp } from '../../../../proof/encoding/timestamp.ts';
import { readMessage, TASK_ID } from './message-params.ts';
import type { ParamsReader } from './params.ts';
import { type PushRequest, readPushConfig } from './push-params.ts';
import { RpcError } from './rpc-error.ts';
import type { Message } from './task.ts';

const MAX_PAGE = 100;
const DEFAULT_PAGE = 50;
const MAX_TOKEN = 2048;
const ACCEPTED = new Set([
  'text/plain',
  'application/json',
  'text/*',
  'application/*',
  '*/*',
  'text',
  'data',
]);

/** A message to a new task, or to one that exists. */
export interface SendCommand {
  message: Message;
  /** The task that the message belongs to; null for a new task. */
  taskId: string | null;
  /** True if a task that does not exist is begun with this id (0.1). */
  mayBegin: boolean;
  contextId: string | null;
  /** The metadata of the request, not of the message. */
  metadata: JsonObject | null;
  historyLength: number | null;
  /** Where the client is told of the task; null for nowhere. */
  push: PushRequest | null;
}

/** Which task to return, and with how many messages; null for as many as the service returns by default. */
export interface GetCommand {
  id: string;
  historyLength: number | null;
}

/** Which tasks to list. */
export interface ListCommand {
  contextId: string | null;
  states: readonly TaskState[] | null;
  /** Milliseconds since 1970. */
  since: number | null;
  pageSize: number;
  pageToken: string | null;
  historyLength: number | null;
  includeArtifacts: boolean;
}

/** Reads `tasks/send` (0.1): the client names the task, even a new one. @throws RpcError */
export function readTasksSend(params: ParamsReader): SendCommand {
  const id = params.requiredId('id');
  const push = params.inside('pushNotification');
  const { message } = readMessage(params, { hasId: false });
  const command = {
    message,
    taskId: id,
    mayBegin: !TASK_ID.test(id),
    contextId: params.id('sessionId'),
    metadata: params.object('metadata'),
    historyLength: readHistoryLength(params),
    push: push === null ? null : readPushConfig(push),
  };
  params.finish();
  return command;
}

/** Reads `message/send` (0.2, 0.3) and `SendMessage` (1.0). @throws RpcError */
export function readSendMessage(params: ParamsReader): SendCommand {
  const sent = readMessage(params, { hasId: true });
  const configuration = params.inside('configuration');
  if (configuration !== null) {
    const modes = configuration.texts('acceptedOutputModes', 256) ?? [];
    if (modes.length > 0 && !modes.some((mode) => ACCEPTED.has(mode))) {
      throw new RpcError('content', 'the service responds with text/plain and application/json.');
    }
    configuration.flag('blocking');
    configuration.flag('returnImmediately');
  }
  const command = {
    ...sent,
    mayBegin: false,
    metadata: params.object('metadata'),
    historyLength: configuration === null ? null : readHistoryLength(configuration),
    push: configuration === null ? null : readPushIn(configuration),
  };
  params.finish();
  return command;
}

/** Reads the params of getting a task. @throws RpcError */
export function readGet(params: ParamsReader): GetCommand {
  const command = {
    id: params.requiredId('id'),
    historyLength: readHistoryLength(params),
  };
  params.finish();
  return command;
}

/** Reads the params of listing tasks. `limit`, `cursor` and `sessionId` are older names. @throws RpcError */
export function readList(
  params: ParamsReader,
  statesOf: (status: string) => readonly TaskState[] | null,
): ListCommand {
  const status = params.text('status', 64);
  const states = status === null ? null : statesOf(status);
  if (status !== null && states === null) params.wrong('status', 'is no state of a task');
  const token = params.value('pageToken') === '' ? null : params.text('pageToken', MAX_TOKEN);
  const command = {
    contextId: emptyAsAbsent(params, 'contextId') ?? params.id('sessionId'),
    states: states?.length === 0 ? null : states,
    since: readSince(params),
    pageSize: params.integer('pageSize', 1, MAX_PAGE) ?? params.integer('limit', 1, MAX_PAGE) ?? DEFAULT_PAGE,
    pageToken: token ?? params.text('cursor', MAX_TOKEN),
    historyLength: readHistoryLength(params),
    includeArtifacts: params.flag('includeArtifacts') ?? false,
  };
  params.finish();
  return command;
}

/** Returns text; null if it is absent or, as ProtoJSON writes that, empty. */
function emptyAsAbsent(params: ParamsReader, name: string): string | null {
  return params.value(name) === '' ? null : params.id(name);
}

function readSince(params: ParamsReader): number | null {
  const text = params.text('statusTimestampAfter', 64);
  if (text === null) return null;
  return parseTimestamp(text) ?? params.wrong('statusTimestampAfter', 'must be an RFC 3339 date-time');
}

function readHistoryLength(params: ParamsReader): number | null {
  return params.integer('historyLength', 0);
}

/** Reads the configuration that a message brings: by its name of 0.2 and 0.3, or that of 1.0. */
function readPushIn(configuration: ParamsReader): PushRequest | null {
  const reader =
    configuration.inside('taskPushNotificationConfig') ?? configuration.inside('pushNotificationConfig');
  return reader === null ? null : readPushConfig(reader);
}
