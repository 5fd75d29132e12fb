import type { Static } from '@sinclair/typebox';
import type { Once } from '../../../../platform/http/idempotency/once.ts';
import type { AgentCaller } from '../../../ledger/credits/authorization.ts';
import { hire } from '../create.ts';
import type { HireContext } from '../engagement.ts';
import type { AcpTaskRequest } from '../requests.ts';
import { partyTask } from './task-view.ts';

/** Creates a task of ACP, which hires an agent. @throws ApiError as `hire` */
export function createAcpTask(
  trust: HireContext,
  caller: AgentCaller,
  task: Static<typeof AcpTaskRequest>,
  once: Once,
) {
  const terms = {
    taskId: task.task_id ?? null,
    purpose: 'acp' as const,
    hirer: task.hirer_commitment,
    worker: task.worker_commitment,
    amount: task.amount,
    description: task.description ?? null,
    inputDigest: task.input_digest ?? null,
    deadline: task.deadline ?? null,
    delivery: task.delivery ?? null,
  };
  return hire(trust, caller, terms, once, partyTask);
}
