import type { Clock } from '../../../platform/time/clock.ts';
import { setStatusByAdministratorIn } from '../../operators/account-state.ts';
import { type ChangeContext, changeOperator } from './change-operator.ts';

/**
 * Suspends an operator or activates it again, from the next request on.
 * @throws ApiError not_found, conflict for a closed account
 */
export async function setAccountStatus(
  context: ChangeContext & { clock: Clock },
  operatorId: string,
  accountStatus: 'ACTIVE' | 'SUSPENDED',
) {
  return changeOperator(context, operatorId, (tx, operator) =>
    setStatusByAdministratorIn(tx, context.clock, operator, accountStatus),
  );
}
