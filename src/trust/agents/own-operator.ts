import type { Ids } from '../../platform/ids.ts';
import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { createOperatorIn } from '../operators/create-operator.ts';
import type { OperatorRow } from '../operators/status.ts';

/**
 * Creates an operator for one agent, on plan FREE with no credits, so that the quota of FREE applies. No
 * other function creates an operator for an agent.
 */
export function createOwnOperatorIn(
  tx: Transaction,
  context: { clock: Clock; ids: Ids },
  commitment: string,
  agentName: string | null,
): Promise<OperatorRow> {
  return createOperatorIn(tx, context, { name: agentName, provisionedFor: commitment });
}
