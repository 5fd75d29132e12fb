import type { Snapshot } from '../../../../platform/store/transaction.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import { TASK_ID } from '../messages/message-params.ts';
import { RpcError } from '../messages/rpc-error.ts';
import { type TaskRow, taskByClientId, taskById } from '../store.ts';

/**
 * Returns a caller's task by either id; null without one. A holder key has the tasks that its agent began.
 */
export async function findOwnTask(
  snapshot: Snapshot,
  principal: Principal,
  id: string,
): Promise<TaskRow | null> {
  const { operatorSeq, role, subjectCommitment } = principal;
  const row = TASK_ID.test(id)
    ? await taskById(snapshot, id)
    : await taskByClientId(snapshot, { operatorSeq, clientId: id });
  const isOwn =
    row?.operatorSeq === operatorSeq && (role === 'issuer' || row.commitment === subjectCommitment);
  return isOwn ? row : null;
}

/** Returns the error for a task that does not exist, or that the caller may not see. */
export function unknownTask(id: string): RpcError {
  return new RpcError(
    'task',
    'you have no task with this id. List your tasks, or send a message without a task id.',
    {
      metadata: { taskId: id },
    },
  );
}
