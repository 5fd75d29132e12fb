import { ApiError } from '../../../../platform/http/errors/errors.ts';
import { slices } from '../../../../platform/turns/slices.ts';
import { taskChanges } from '../../../hires/escrow/changes.ts';
import type { Principal } from '../../../operators/auth/authenticate.ts';
import { RpcError } from '../messages/rpc-error.ts';
import { hasEnded, type Task } from '../messages/task.ts';
import type { SkillContext } from '../skill.ts';
import { skills } from '../skills/skills.ts';
import { setLastReply, taskById, updateTask } from '../store.ts';
import { appendAgentMessageIn } from './append.ts';
import { findOwnTask, unknownTask } from './find.ts';
import { conversationOf } from './open-tasks.ts';
import { readTask, taskSteps } from './view.ts';

/**
 * Cancels a task that has not ended. Escrow that is not delivered is cancelled with it.
 * @throws RpcError for an unknown task, or one that cannot be cancelled; ApiError for a read-only key
 */
export async function cancelTask(trust: SkillContext, principal: Principal, id: string): Promise<Task> {
  const cancelled = await trust.store.write(principal.authority.neverRefused, async (tx) => {
    const row = await findOwnTask(tx, principal, id);
    if (row === null) throw unknownTask(id);
    if (hasEnded(row.state))
      throw new RpcError('cancel', `the task is ${row.state}.`, { metadata: { taskId: id } });
    const { taskSeq, taskId, escrowSeq, createdAt, skill, input } = row;
    if (escrowSeq === null) {
      const updatedAt = trust.clock.now();
      taskChanges.changedIn(tx, taskId);
      await updateTask(tx, { taskSeq, skill, input, escrowSeq, state: 'canceled', updatedAt });
      await appendAgentMessageIn(tx, trust, taskSeq, [{ text: 'The client canceled the task.' }]);
    } else {
      const cancelIn = skills.find((one) => one.id === skill)?.cancelIn;
      if (cancelIn === undefined) throw new RpcError('cancel', 'its escrow cannot be cancelled.');
      try {
        await cancelIn(tx, {
          trust,
          principal,
          text: '',
          task: { taskId, escrowSeq, createdAt },
          mayPayIn: async () => true,
        });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new RpcError('cancel', error.message, { metadata: { taskId: id, reason_code: error.code } });
      }
    }
    // The client has been told about this task now, and "accept" may not pay for the one before it.
    await setLastReply(tx, conversationOf(principal, row.contextId), null);
    const cancelled = await taskById(tx, taskId);
    if (cancelled === null) throw new Error(`${taskId} is gone`);
    return readTask(tx, cancelled, { historyLength: null, artifacts: true });
  });
  return slices.run(taskSteps(cancelled));
}
