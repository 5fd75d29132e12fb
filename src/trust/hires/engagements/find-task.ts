import type { Snapshot } from '../../../platform/store/transaction.ts';
import { commonErrors } from '../../http/errors.ts';
import { type EscrowState, escrowByTask } from '../escrow/state.ts';

/** @throws ApiError not_found */
export async function requireTask(snapshot: Snapshot, taskId: string): Promise<EscrowState> {
  const state = await escrowByTask(snapshot, taskId);
  if (state !== null) return state;
  throw commonErrors.not_found({ message: 'No task has this task_id. Check the id.' });
}
