import type { Clock } from '../../../platform/time/clock.ts';
import { pardonIn } from '../../operators/account-state.ts';
import { type ChangeContext, changeOperator } from './change-operator.ts';

/**
 * Pardons an operator's SLA breaches up to now: the gate no longer counts them. @throws ApiError not_found
 */
export async function pardonOperator(context: ChangeContext & { clock: Clock }, operatorId: string) {
  return changeOperator(context, operatorId, (tx, operator) => pardonIn(tx, context.clock, operator));
}
