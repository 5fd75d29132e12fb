import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import { requireOperatorIn } from '../../operators/require-operator.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { OperatorRow } from '../../operators/status.ts';
import { operatorStatusOf } from './operator-status.ts';

/** The store, and the cache to invalidate. */
export interface ChangeContext {
  store: Store;
  principals: Principals;
  policy: OperatorsPolicy;
}

/**
 * Changes an operator, from its next request on.
 * @returns its status
 * @throws ApiError not_found, and any of `act`
 */
export async function changeOperator(
  { store, principals, policy }: ChangeContext,
  operatorId: string,
  act: (tx: Transaction, operator: OperatorRow) => Promise<void>,
) {
  return store.writeAsService(async (tx) => {
    await act(tx, await requireOperatorIn(tx, operatorId));
    principals.changedIn(tx);
    return operatorStatusOf(tx, await requireOperatorIn(tx, operatorId), policy.tiers);
  });
}
