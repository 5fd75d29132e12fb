import type { Once } from '../../../../platform/http/idempotency/once.ts';
import type { AgentCaller } from '../../../ledger/credits/authorization.ts';
import { type AcceptContext, accept } from '../accept.ts';
import { acceptedTask } from './task-view.ts';

/** Accepts a delivered task of ACP, and pays its worker. @throws ApiError as `accept` */
export const acceptAcpTask = (trust: AcceptContext, caller: AgentCaller, taskId: string, once: Once) =>
  accept(trust, caller, taskId, once, acceptedTask);
