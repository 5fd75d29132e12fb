import { Type } from '@sinclair/typebox';
import type { Cursors } from '../../../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../../platform/store/store.ts';
import type { Snapshot } from '../../../../platform/store/transaction.ts';
import { slices } from '../../../../platform/turns/slices.ts';
import { commonErrors } from '../../../http/errors.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import { countTasks, tasksPage } from '../list-store.ts';
import { TASK_ID } from '../messages/message-params.ts';
import type { GetCommand, ListCommand } from '../messages/requests.ts';
import { RpcError } from '../messages/rpc-error.ts';
import { hasEnded, type Task } from '../messages/task.ts';
import { type TaskRow, taskById } from '../store.ts';
import { findOwnTask, unknownTask } from './find.ts';
import { lengthOf, publicView, readTask, type TaskContent, taskSteps, taskView } from './view.ts';

/** The list of a caller's tasks, ordered by the time of their state. */
const TASKS = { name: 'a2a tasks', position: Type.Tuple([positionNumber, positionNumber]) };
/** The most characters of messages and artifacts on a page, which then has fewer tasks. */
const MAX_PAGE_TEXT = 1_048_576;
/**
 * The most characters of messages with which a stream begins: a client that never reads it leaves them in
 * memory.
 */
const MAX_STREAM_HISTORY = 4096;
/** The largest total that a list counts: one more says that there are more. */
const MAX_TOTAL = 1000;

/** A page of tasks. */
export interface TaskPage {
  tasks: Task[];
  /** null for the last page. */
  nextPageToken: string | null;
  /** The number of tasks on this page. */
  pageSize: number;
  /** All tasks of the list, exact up to 1,000; 1,001 for more. */
  totalSize: number;
}

/**
 * Returns a task. Its owner sees all of it; others who know the service's id see its state and its escrow.
 * @throws RpcError for an unknown task
 * @throws ApiError unauthorized for an id that a client chose, without a key: only its owner has it
 */
export async function getTask(
  { store }: { store: Store },
  principal: Principal | null,
  { id, historyLength }: GetCommand,
): Promise<Task> {
  requireKeyFor(principal, id);
  const shown = await store.read(async (snapshot) => {
    const { row, isOwn } = await findShownTask(snapshot, principal, id);
    return isOwn
      ? { own: await readTask(snapshot, row, { historyLength, artifacts: true }) }
      : publicView(snapshot, row);
  });
  return 'own' in shown ? slices.run(taskSteps(shown.own)) : shown;
}

/** @throws ApiError unauthorized for an id that a client chose, without a key: only its owner has it */
function requireKeyFor(principal: Principal | null, id: string): void {
  if (principal === null && !TASK_ID.test(id)) throw commonErrors.unauthorized();
}

/**
 * Returns a task that a caller may see, and whether it is the caller's own.
 * @throws RpcError for an unknown one
 */
async function findShownTask(
  snapshot: Snapshot,
  principal: Principal | null,
  id: string,
): Promise<{ row: TaskRow; isOwn: boolean }> {
  const own = principal === null ? null : await findOwnTask(snapshot, principal, id);
  if (own !== null) return { row: own, isOwn: true };
  const row = TASK_ID.test(id) ? await taskById(snapshot, id) : null;
  if (row === null) throw unknownTask(id);
  return { row, isOwn: false };
}

/** A task that is followed by a stream, and how to read it when the stream begins. */
export interface FollowedTask {
  /** The service's id. */
  taskId: string;
  /** True for a caller who sees only its state and its escrow. */
  isPublic: boolean;
  read(snapshot: Snapshot): Promise<Task>;
}

/** Returns how a stream begins with a task of the caller. */
export function followedTask(taskId: string, historyLength: number | null): FollowedTask {
  return {
    taskId,
    isPublic: false,
    async read(snapshot) {
      const row = await taskById(snapshot, taskId);
      if (row === null) throw unknownTask(taskId);
      return taskView(snapshot, row, { historyLength, artifacts: true, maxHistory: MAX_STREAM_HISTORY });
    },
  };
}

/**
 * Returns a task to follow. Who may read it may follow it, and is shown the same.
 * @param mayHaveEnded whether a task that has ended can be followed: it is shown once
 * @throws errors as `getTask`; RpcError unsupported for a task that has ended
 */
export async function findFollowed(
  { store }: { store: Store },
  principal: Principal | null,
  id: string,
  mayHaveEnded: boolean,
): Promise<FollowedTask> {
  requireKeyFor(principal, id);
  const { row, isOwn } = await store.read((snapshot) => findShownTask(snapshot, principal, id));
  if (!mayHaveEnded && hasEnded(row.state))
    throw new RpcError('unsupported', `the task is ${row.state}, so nothing follows. Read it with GetTask.`);
  const followed = followedTask(row.taskId, null);
  if (isOwn) return followed;
  const read = async (snapshot: Snapshot): Promise<Task> =>
    publicView(snapshot, (await findShownTask(snapshot, null, row.taskId)).row);
  return { ...followed, isPublic: true, read };
}

/**
 * Returns a page of the caller's tasks, those whose state changed last first.
 * @throws RpcError for a token of another list
 */
export async function listTasks(
  { store, cursors }: { store: Store; cursors: Cursors },
  principal: Principal,
  command: ListCommand,
): Promise<TaskPage> {
  const { contextId, states, since, pageSize, pageToken, historyLength, includeArtifacts } = command;
  const { operatorSeq, role, subjectCommitment } = principal;
  const commitment = role === 'holder' ? subjectCommitment : null;
  const tokens = cursors.of(TASKS, [operatorSeq, commitment, contextId, states?.join() ?? null, since]);
  const after = pageToken === null ? undefined : tokens.read(pageToken);
  if (after === null) {
    const description = 'is not the nextPageToken of this list with these filters';
    throw new RpcError('params', `pageToken ${description}.`, {
      violations: [{ field: 'pageToken', description }],
    });
  }
  const filter = {
    operatorSeq,
    commitment: commitment ?? undefined,
    contextId: contextId ?? undefined,
    states: states ?? undefined,
    since: since ?? undefined,
  };
  const page = await store.read(async (snapshot) => {
    const rows = await tasksPage(snapshot, filter, after, pageSize + 1);
    const contents: TaskContent[] = [];
    let left = MAX_PAGE_TEXT;
    for (const row of rows.slice(0, pageSize)) {
      // A list shows messages only if they are asked for.
      const content = await readTask(snapshot, row, {
        historyLength: historyLength ?? 0,
        artifacts: includeArtifacts,
      });
      left -= lengthOf(content);
      if (left < 0 && contents.length > 0) break;
      contents.push(content);
    }
    const last = contents.length < rows.length ? contents.at(-1)?.row : undefined;
    const totalSize = await countTasks(snapshot, filter, MAX_TOTAL + 1);
    return { contents, last, totalSize };
  });
  const { contents, last, totalSize } = page;
  const tasks: Task[] = [];
  for (const content of contents) tasks.push(await slices.run(taskSteps(content)));
  return {
    tasks,
    nextPageToken: last === undefined ? null : tokens.write([last.updatedAt, last.taskSeq]),
    pageSize: tasks.length,
    totalSize,
  };
}
