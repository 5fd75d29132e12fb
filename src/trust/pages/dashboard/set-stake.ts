import { stakeOf } from '../../ledger/accounts.ts';
import { adjustIn } from '../../ledger/adjust.ts';
import { stakeCents } from '../../ledger/balances.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { requireOpen } from '../../operators/account-state.ts';
import { type ChangeContext, changeOperator } from './change-operator.ts';

/**
 * Sets an operator's stake by a booking of the difference.
 * @param cents US cents
 * @throws ApiError not_found; conflict, including for a stake of a closed account
 */
export async function setStake(context: ChangeContext & LedgerContext, operatorId: string, cents: number) {
  return changeOperator(context, operatorId, async (tx, operator) => {
    if (cents > 0) requireOpen(operator);
    const difference = cents - (await stakeCents(tx, operator.operatorSeq));
    await adjustIn(tx, context, stakeOf(operator), 'cents', difference);
  });
}
