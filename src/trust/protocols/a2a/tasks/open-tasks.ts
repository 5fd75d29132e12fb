import type { TaskState } from '../../../../../db/trust/a2a-enums.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { JsonObject } from '../../../../proof/encoding/json.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import { tasksPage } from '../list-store.ts';
import { hasEnded } from '../messages/task.ts';
import type { Conversation, TaskRow } from '../store.ts';
import { findOwnTask } from './find.ts';
import { escrowResult } from './view.ts';

/** The tasks of a state that are looked at in a context, those that changed last first. */
const MOST_OF_STATE = 10;

/** A task that a client can mean by a message without a task id. */
export interface OpenTask {
  taskSeq: number;
  /** The id that the client uses. */
  taskId: string;
  skill: string;
  state: TaskState;
  /** Credits of its escrow; null for a task without escrow. */
  amount: number | null;
}

/** Returns who talks in a context. */
export function conversationOf(principal: Principal, contextId: string): Conversation {
  const { operatorSeq, role, subjectCommitment } = principal;
  return { operatorSeq, commitment: role === 'holder' ? subjectCommitment : null, contextId };
}

/** Returns the caller's open tasks of a context: at most ten that ask for input, and ten others. */
export async function openTasksIn(
  snapshot: Snapshot,
  principal: Principal,
  contextId: string,
): Promise<TaskRow[]> {
  const { operatorSeq, commitment } = conversationOf(principal, contextId);
  const filter = { operatorSeq, commitment: commitment ?? undefined, contextId };
  const rows: TaskRow[] = [];
  for (const states of [['input-required'], ['submitted', 'working']] as const)
    rows.push(...(await tasksPage(snapshot, { ...filter, states }, undefined, MOST_OF_STATE)));
  return rows;
}

/** Returns the caller's open tasks among those that a message refers to. Unknown ids are ignored. */
export async function openReferences(
  snapshot: Snapshot,
  principal: Principal,
  ids: readonly string[],
): Promise<TaskRow[]> {
  const rows = new Map<number, TaskRow>();
  for (const id of ids) {
    const row = await findOwnTask(snapshot, principal, id);
    if (row !== null && !hasEnded(row.state)) rows.set(row.taskSeq, row);
  }
  return [...rows.values()];
}

/** Returns what a reply says about open tasks. Tasks that have no skill yet are only questions. */
export async function describeOpenTasks(snapshot: Snapshot, rows: readonly TaskRow[]): Promise<OpenTask[]> {
  const described: OpenTask[] = [];
  for (const row of rows) {
    const { taskSeq, taskId, clientId, skill, state } = row;
    if (skill === null) continue;
    const amount = (await escrowResult(snapshot, row))?.data?.amount;
    described.push({
      taskSeq,
      taskId: clientId ?? taskId,
      skill,
      state,
      amount: typeof amount === 'number' ? amount : null,
    });
  }
  return described;
}

/** Returns an open task as a reply's data shows it. */
export function openTaskView({ taskId, skill, state, amount }: OpenTask): JsonObject {
  return { task_id: taskId, skill, state, ...(amount === null ? {} : { amount }) };
}
