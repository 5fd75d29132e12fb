import { TASK_STATES, type TaskState } from '../../../../../db/trust/a2a-enums.ts';
import { timestampOf } from '../../../../platform/time/timestamp.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import type { Artifact, Message, Part, Task, TaskEvent } from '../messages/task.ts';

/** Returns the states that a filter names: none for any state, null for a word that is no state. */
export function statesOf(status: string): readonly TaskState[] | null {
  if (status === 'unknown') return [];
  // The protocol has this state, but no task of this service.
  if (status === 'auth-required') return ['submitted'];
  const state = TASK_STATES.find((one) => one === status);
  return state === undefined ? null : [state];
}

/** Returns a task as A2A 0.2 and 0.3 write it. */
export function writeTask(task: Task): JsonObject {
  return taskOf(task, false);
}

/**
 * Returns a task as the methods `tasks/…` write it. A2A 0.1 and 0.3 have the same names for them, so the task
 * has the members of both: `sessionId` and `contextId`, `type` and `kind`, `index` and `artifactId`.
 */
export function writeTaskOfBoth(task: Task): JsonObject {
  return taskOf(task, true);
}

/** Returns an event as A2A 0.2 and 0.3 write it. */
export function writeEvent(event: TaskEvent): JsonObject {
  return eventOf(event, false);
}

/** Returns an event with the members of 0.1 and 0.3, for the methods `tasks/…`. */
export function writeEventOfBoth(event: TaskEvent): JsonObject {
  return eventOf(event, true);
}

function eventOf(event: TaskEvent, both: boolean): JsonObject {
  const { id: taskId, contextId, metadata } = event.task;
  const ids = { ...(both ? { id: taskId } : {}), taskId, contextId };
  if (event.kind === 'status')
    return {
      kind: 'status-update',
      ...ids,
      status: statusOf(event.task, both),
      final: event.final,
      metadata,
    };
  // 0.1 has these members in the artifact, 0.3 beside it.
  const whole = { append: false, lastChunk: true };
  const artifact = { ...artifactOf(event.artifact, event.index, both), ...(both ? whole : {}) };
  return { kind: 'artifact-update', ...ids, artifact, ...whole };
}

function statusOf(task: Task, both: boolean): JsonObject {
  const { id, taskId, state, message } = task;
  // A task whose id the client chose is one of 0.1, which has no `rejected`.
  const shownState = both && state === 'rejected' && id !== taskId ? 'failed' : state;
  return {
    state: shownState,
    ...(message === null ? {} : { message: messageOf(task, message, both) }),
    timestamp: timestampOf(task.updatedAt),
  };
}

function artifactOf({ artifactId, name, parts }: Artifact, index: number, both: boolean): JsonObject {
  return {
    artifactId,
    ...(both ? { index } : {}),
    name,
    parts: parts.map((part) => partOf(part, both)),
  };
}

function taskOf(task: Task, both: boolean): JsonObject {
  const { id, contextId, artifacts, history } = task;
  return {
    kind: 'task',
    id,
    contextId,
    ...(both ? { sessionId: contextId } : {}),
    status: statusOf(task, both),
    ...(artifacts === null
      ? {}
      : { artifacts: artifacts.map((artifact, index) => artifactOf(artifact, index, both)) }),
    ...(history.length === 0 ? {} : { history: history.map((one) => messageOf(task, one, both)) }),
    metadata: task.metadata,
  };
}

function messageOf(
  { id, contextId }: Task,
  { messageId, role, parts, ...more }: Message,
  both: boolean,
): JsonObject {
  return {
    kind: 'message',
    messageId,
    role,
    parts: parts.map((part) => partOf(part, both)),
    taskId: id,
    contextId,
    ...more,
  };
}

function partOf(part: Part, both: boolean): JsonObject {
  const kind = 'text' in part ? 'text' : 'data';
  return { kind, ...(both ? { type: kind } : {}), ...part };
}
