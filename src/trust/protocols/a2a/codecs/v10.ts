import { TASK_STATES, type TaskState } from '../../../../../db/trust/a2a-enums.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import type { Artifact, Message, Part, Task, TaskEvent } from '../messages/task.ts';

/** The states as ProtoJSON writes them (A2A 1.0). */
const STATES = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  canceled: 'TASK_STATE_CANCELED',
  failed: 'TASK_STATE_FAILED',
  rejected: 'TASK_STATE_REJECTED',
} as const satisfies Record<TaskState, string>;

/** Returns the states that a filter names: none for any state, null for a word that is no state. */
export function statesOf(status: string): readonly TaskState[] | null {
  if (status === 'TASK_STATE_UNSPECIFIED') return [];
  // The protocol has this state, but no task of this service.
  if (status === 'TASK_STATE_AUTH_REQUIRED') return ['submitted'];
  const state = TASK_STATES.find((one) => STATES[one] === status);
  return state === undefined ? null : [state];
}

/** Returns an event as A2A 1.0 writes it in a StreamResponse (ProtoJSON). None says that it is the last. */
export function writeEvent(event: TaskEvent): JsonObject {
  const { id: taskId, contextId, metadata } = event.task;
  return event.kind === 'status'
    ? { statusUpdate: { taskId, contextId, status: writeStatus(event.task), metadata } }
    : {
        artifactUpdate: {
          taskId,
          contextId,
          artifact: writeArtifact(event.artifact),
          append: false,
          lastChunk: true,
        },
      };
}

/** Returns a task as A2A 1.0 writes it (ProtoJSON). */
export function writeTask(task: Task): JsonObject {
  const { artifacts, history } = task;
  return {
    id: task.id,
    contextId: task.contextId,
    status: writeStatus(task),
    ...(artifacts === null ? {} : { artifacts: artifacts.map(writeArtifact) }),
    ...(history.length === 0 ? {} : { history: history.map((one) => writeMessage(task, one)) }),
    metadata: task.metadata,
  };
}

function writeStatus(task: Task): JsonObject {
  const { state, updatedAt, message } = task;
  return {
    state: STATES[state],
    ...(message === null ? {} : { message: writeMessage(task, message) }),
    timestamp: timestampOf(updatedAt),
  };
}

function writeArtifact({ artifactId, name, parts }: Artifact): JsonObject {
  return { artifactId, name, parts: parts.map(writePart) };
}

function writeMessage({ id, contextId }: Task, { messageId, role, parts, ...more }: Message): JsonObject {
  return {
    messageId,
    contextId,
    taskId: id,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: parts.map(writePart),
    ...more,
  };
}

function writePart(part: Part): JsonObject {
  return { ...part, mediaType: 'text' in part ? 'text/plain' : 'application/json' };
}
