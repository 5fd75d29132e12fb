import type { PushForm } from '../../../../../db/trust/a2a-enums.ts';
import type { Cursors } from '../../../../platform/http/pagination/cursor.ts';
import type { JsonObject, JsonValue } from '../../../../proof/encoding/json.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import { writePush01, writePush03, writePush10 } from '../codecs/push.ts';
import { statesOf as statesOf03, writeTask as writeTask03, writeTaskOfBoth } from '../codecs/v03.ts';
import { statesOf as statesOf10, writeTask as writeTask10 } from '../codecs/v10.ts';
import type { ParamsReader } from '../messages/params.ts';
import type { PushConfig } from '../messages/push-config.ts';
import {
  type PushConfigRef,
  type PushRequest,
  readCreatePush,
  readPushRef,
  readPushRef10,
  readPushTask,
  readSetPush,
} from '../messages/push-params.ts';
import { readGet, readList, readSendMessage, readTasksSend, type SendCommand } from '../messages/requests.ts';
import { RpcError } from '../messages/rpc-error.ts';
import type { Task } from '../messages/task.ts';
import type { PushConfigs } from '../push/push-configs.ts';
import type { SkillContext } from '../skill.ts';
import { FORM_01, FORM_03, FORM_10, FORM_OF_BOTH, type StreamForm } from '../streams/form.ts';
import type { TaskStreams } from '../streams/task-streams.ts';
import { cancelTask } from '../tasks/cancel.ts';
import { type FollowedTask, findFollowed, followedTask, getTask, listTasks } from '../tasks/read.ts';
import { sendMessage } from '../tasks/send-message.ts';

/** The parts of the service that the methods use. */
export type RpcContext = SkillContext & { cursors: Cursors; taskStreams: TaskStreams; push: PushConfigs };

/** A call of a method, with the caller's principal; null without a key. */
export interface Call {
  trust: RpcContext;
  principal: Principal | null;
  params: ParamsReader;
}

/** A method of the endpoint. */
interface Method {
  /** What a caller needs: a key that may write, a key, or nothing. */
  needs: 'write' | 'key' | 'nothing';
  run(call: Call): Promise<JsonValue>;
  /** The stream that it is, unless the call has no id. */
  stream?: {
    form: StreamForm;
    /** Whether the stream ends when the task asks for input. */
    endsAtInput: boolean;
    /** Does what the call asks for. @returns the task to follow */
    begin(call: Call): Promise<FollowedTask>;
  };
}

type WriteTask = (task: Task) => JsonObject;

/** Sends a message, and stores where the client is told of its task. */
async function sendBy(
  { trust, principal, params }: Call,
  read: (params: ParamsReader) => SendCommand,
  form: PushForm,
): Promise<{ task: Task; command: SendCommand }> {
  const command = read(params);
  const caller = required(principal);
  const attachPush = command.push === null ? null : await trust.push.prepare(caller, command.push, form);
  return { task: await sendMessage(trust, caller, command, attachPush), command };
}

const send = (read: (params: ParamsReader) => SendCommand, form: PushForm, write: WriteTask): Method => ({
  needs: 'write',
  run: async (call) => write((await sendBy(call, read, form)).task),
});
const get = (write: WriteTask): Method => ({
  needs: 'nothing',
  run: async ({ trust, principal, params }) => write(await getTask(trust, principal, readGet(params))),
});
const list = (statesOf: typeof statesOf03, write: WriteTask): Method => ({
  needs: 'key',
  run: async ({ trust, principal, params }) => {
    const page = await listTasks(trust, required(principal), readList(params, statesOf));
    const { tasks, nextPageToken, pageSize, totalSize } = page;
    return { tasks: tasks.map(write), nextPageToken: nextPageToken ?? '', pageSize, totalSize };
  },
});
const cancel = (write: WriteTask): Method => ({
  needs: 'write',
  run: async ({ trust, principal, params }) =>
    write(await cancelTask(trust, required(principal), readGet(params).id)),
});
const refuse = (error: () => RpcError): Method => ({ needs: 'nothing', run: () => Promise.reject(error()) });

/** A message whose task is followed. Without an id it is only sent. */
const sendAndFollow = (
  read: (params: ParamsReader) => SendCommand,
  pushForm: PushForm,
  form: StreamForm,
): Method => ({
  ...send(read, pushForm, () => ({})),
  stream: {
    form,
    endsAtInput: true,
    async begin(call) {
      const { task, command } = await sendBy(call, read, pushForm);
      return followedTask(task.taskId, command.historyLength);
    },
  },
});
/** @param mayHaveEnded whether a task that has ended is shown once */
const follow = (form: StreamForm, mayHaveEnded: boolean): Method => ({
  needs: 'nothing',
  run: async () => ({}),
  stream: {
    form,
    endsAtInput: false,
    begin: ({ trust, principal, params }) => findFollowed(trust, principal, readGet(params).id, mayHaveEnded),
  },
});
type WritePush = (config: PushConfig) => JsonObject;

const setPush = (
  read: (params: ParamsReader) => { taskId: string; push: PushRequest },
  form: PushForm,
  write: WritePush,
): Method => ({
  needs: 'write',
  run: async ({ trust, principal, params }) => {
    const { taskId, push } = read(params);
    return write(await trust.push.set(required(principal), taskId, push, form));
  },
});
const getPush = (read: (params: ParamsReader) => PushConfigRef, write: WritePush): Method => ({
  needs: 'key',
  run: async ({ trust, principal, params }) => write(await trust.push.get(required(principal), read(params))),
});
const listPush = (idName: 'id' | 'taskId', write: (configs: PushConfig[]) => JsonValue): Method => ({
  needs: 'key',
  run: async ({ trust, principal, params }) =>
    write(await trust.push.list(required(principal), readPushTask(params, idName))),
});
const deletePush = (read: (params: ParamsReader) => PushConfigRef, result: JsonValue): Method => ({
  needs: 'write',
  run: async ({ trust, principal, params }) => {
    await trust.push.remove(required(principal), read(params));
    return result;
  },
});

/** The methods of three generations by their names. */
const METHODS: Readonly<Record<string, Method>> = {
  // 0.1, and those that 0.3 has by the same name.
  'tasks/send': send(readTasksSend, '0.1', writeTaskOfBoth),
  'tasks/get': get(writeTaskOfBoth),
  'tasks/cancel': cancel(writeTaskOfBoth),
  'tasks/list': list(statesOf03, writeTaskOfBoth),
  'tasks/sendSubscribe': sendAndFollow(readTasksSend, '0.1', FORM_01),
  'tasks/resubscribe': follow(FORM_OF_BOTH, true),
  'tasks/pushNotification/set': setPush((params) => readSetPush(params, 'id'), '0.1', writePush01),
  'tasks/pushNotification/get': getPush(readPushRef, writePush01),
  // 0.2 and 0.3.
  'message/send': send(readSendMessage, '0.3', writeTask03),
  'message/stream': sendAndFollow(readSendMessage, '0.3', FORM_03),
  'tasks/pushNotificationConfig/set': setPush((params) => readSetPush(params, 'taskId'), '0.3', writePush03),
  'tasks/pushNotificationConfig/get': getPush(readPushRef, writePush03),
  'tasks/pushNotificationConfig/list': listPush('id', (configs) => configs.map(writePush03)),
  'tasks/pushNotificationConfig/delete': deletePush(readPushRef, null),
  'agent/getAuthenticatedExtendedCard': refuse(
    () => new RpcError('card', 'everybody gets the same card at /.well-known/agent-card.json.'),
  ),
  // 1.0.
  SendMessage: send(readSendMessage, '1.0', (task) => ({ task: writeTask10(task) })),
  GetTask: get(writeTask10),
  ListTasks: list(statesOf10, writeTask10),
  CancelTask: cancel(writeTask10),
  SendStreamingMessage: sendAndFollow(readSendMessage, '1.0', FORM_10),
  SubscribeToTask: follow(FORM_10, false),
  CreateTaskPushNotificationConfig: setPush(readCreatePush, '1.0', writePush10),
  GetTaskPushNotificationConfig: getPush(readPushRef10, writePush10),
  ListTaskPushNotificationConfigs: listPush('taskId', (configs) => ({
    configs: configs.map(writePush10),
    nextPageToken: '',
  })),
  DeleteTaskPushNotificationConfig: deletePush(readPushRef10, {}),
  GetExtendedAgentCard: refuse(
    () => new RpcError('unsupported', 'everybody gets the same card at /.well-known/agent-card.json.'),
  ),
};

/** Returns a method by its name; null for an unknown one. */
export function methodOf(name: string): Method | null {
  return Object.hasOwn(METHODS, name) ? (METHODS[name] ?? null) : null;
}

function required(principal: Principal | null): Principal {
  if (principal === null) throw new Error('a method that needs a key was called without one');
  return principal;
}
