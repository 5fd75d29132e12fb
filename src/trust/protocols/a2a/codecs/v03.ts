import { TASK_STATES, type TaskState } from '../../../../../db/trust/a2a-enums.ts';
import { timestamp } from '../../../../platform/time/clock.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import type { Message, Part, Task } from '../messages/task.ts';

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

function taskOf(task: Task, both: boolean): JsonObject {
  const { id, taskId, contextId, state, artifacts, history, message } = task;
  // A task whose id the client chose is one of 0.1, which has no `rejected`.
  const shownState = both && state === 'rejected' && id !== taskId ? 'failed' : state;
  return {
    kind: 'task',
    id,
    contextId,
    ...(both ? { sessionId: contextId } : {}),
    status: {
      state: shownState,
      ...(message === null ? {} : { message: messageOf(task, message, both) }),
      timestamp: timestamp({ now: () => task.updatedAt }),
    },
    ...(artifacts === null
      ? {}
      : {
          artifacts: artifacts.map(({ artifactId, name, parts }, index) => ({
            artifactId,
            ...(both ? { index } : {}),
            name,
            parts: parts.map((part) => partOf(part, both)),
          })),
        }),
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
