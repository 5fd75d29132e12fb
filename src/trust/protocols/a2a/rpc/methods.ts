import type { Cursors } from '../../../../platform/http/pagination/cursor.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import { statesOf as statesOf03, writeTask as writeTask03, writeTaskOfBoth } from '../codecs/v03.ts';
import { statesOf as statesOf10, writeTask as writeTask10 } from '../codecs/v10.ts';
import type { ParamsReader } from '../messages/params.ts';
import { readGet, readList, readSendMessage, readTasksSend, type SendCommand } from '../messages/requests.ts';
import { RpcError } from '../messages/rpc-error.ts';
import type { Task } from '../messages/task.ts';
import type { SkillContext } from '../skill.ts';
import { cancelTask } from '../tasks/cancel.ts';
import { getTask, listTasks } from '../tasks/read.ts';
import { sendMessage } from '../tasks/send-message.ts';

/** The parts of the service that the methods use. */
export type RpcContext = SkillContext & { cursors: Cursors };

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
  run(call: Call): Promise<JsonObject>;
}

type WriteTask = (task: Task) => JsonObject;

const send = (read: (params: ParamsReader) => SendCommand, write: WriteTask): Method => ({
  needs: 'write',
  run: async ({ trust, principal, params }) =>
    write(await sendMessage(trust, required(principal), read(params))),
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

const noStream = refuse(
  () => new RpcError('unsupported', 'the service does not stream. Send the message, and read the task.'),
);
const noPush = refuse(
  () => new RpcError('push', 'the service sends no push notifications. Read the task instead.'),
);

/** The methods of three generations by their names. */
const METHODS: Readonly<Record<string, Method>> = {
  // 0.1, and those that 0.3 has by the same name.
  'tasks/send': send(readTasksSend, writeTaskOfBoth),
  'tasks/get': get(writeTaskOfBoth),
  'tasks/cancel': cancel(writeTaskOfBoth),
  'tasks/list': list(statesOf03, writeTaskOfBoth),
  'tasks/sendSubscribe': noStream,
  'tasks/resubscribe': noStream,
  'tasks/pushNotification/set': noPush,
  'tasks/pushNotification/get': noPush,
  // 0.2 and 0.3.
  'message/send': send(readSendMessage, writeTask03),
  'message/stream': noStream,
  'tasks/pushNotificationConfig/set': noPush,
  'tasks/pushNotificationConfig/get': noPush,
  'tasks/pushNotificationConfig/list': noPush,
  'tasks/pushNotificationConfig/delete': noPush,
  'agent/getAuthenticatedExtendedCard': refuse(
    () => new RpcError('card', 'everybody gets the same card at /.well-known/agent-card.json.'),
  ),
  // 1.0.
  SendMessage: send(readSendMessage, (task) => ({ task: writeTask10(task) })),
  GetTask: get(writeTask10),
  ListTasks: list(statesOf10, writeTask10),
  CancelTask: cancel(writeTask10),
  SendStreamingMessage: noStream,
  SubscribeToTask: noStream,
  CreateTaskPushNotificationConfig: noPush,
  GetTaskPushNotificationConfig: noPush,
  ListTaskPushNotificationConfigs: noPush,
  DeleteTaskPushNotificationConfig: noPush,
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
