import { Type } from '@sinclair/typebox';
import type { Cursors } from '../../../../platform/http/pagination/cursor.ts';
import { positionNumber } from '../../../../platform/http/pagination/cursor.ts';
import type { Store } from '../../../../platform/store/store.ts';
import { commonErrors } from '../../../http/errors.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import { countTasks, tasksPage } from '../list-store.ts';
import { TASK_ID } from '../messages/message-params.ts';
import type { GetCommand, ListCommand } from '../messages/requests.ts';
import { RpcError } from '../messages/rpc-error.ts';
import type { Task } from '../messages/task.ts';
import { taskById } from '../store.ts';
import { findOwnTask, unknownTask } from './find.ts';
import { publicView, taskView } from './view.ts';

/** The list of a caller's tasks, ordered by the time of their state. */
const TASKS = { name: 'a2a tasks', position: Type.Tuple([positionNumber, positionNumber]) };
/** The most characters of messages and artifacts on a page, which then has fewer tasks. */
const MAX_PAGE_TEXT = 1_048_576;
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
  if (principal === null && !TASK_ID.test(id)) throw commonErrors.unauthorized();
  return store.read(async (snapshot) => {
    const ownTask = principal === null ? null : await findOwnTask(snapshot, principal, id);
    if (ownTask !== null) return taskView(snapshot, ownTask, { historyLength, artifacts: true });
    const task = TASK_ID.test(id) ? await taskById(snapshot, id) : null;
    if (task === null) throw unknownTask(id);
    return publicView(snapshot, task);
  });
}

/**
 * Returns a page of the caller's tasks, those whose state changed last first.
 * @throws RpcError for a token of another list
 */
export function listTasks(
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
  return store.read(async (snapshot) => {
    const rows = await tasksPage(snapshot, filter, after, pageSize + 1);
    const tasks: Task[] = [];
    let left = MAX_PAGE_TEXT;
    for (const row of rows.slice(0, pageSize)) {
      // A list shows messages only if they are asked for.
      const task = await taskView(snapshot, row, {
        historyLength: historyLength ?? 0,
        artifacts: includeArtifacts,
      });
      left -= historyLength === null && !includeArtifacts ? 0 : JSON.stringify(task).length;
      if (left < 0 && tasks.length > 0) break;
      tasks.push(task);
    }
    const last = tasks.length < rows.length ? rows[tasks.length - 1] : undefined;
    return {
      tasks,
      nextPageToken: last === undefined ? null : tokens.write([last.updatedAt, last.taskSeq]),
      pageSize: tasks.length,
      totalSize: await countTasks(snapshot, filter, MAX_TOTAL + 1),
    };
  });
}
