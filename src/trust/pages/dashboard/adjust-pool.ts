import { commonErrors } from '../../http/errors.ts';
import { type CreditClass, poolOf } from '../../ledger/accounts.ts';
import { adjustIn } from '../../ledger/adjust.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { requireOpen } from '../../operators/account-state.ts';
import { type ChangeContext, changeOperator } from './change-operator.ts';

/**
 * Adds promotional credits to an operator's pool, or with a negative amount removes credits of a class.
 * @throws ApiError not_found; validation_error for an amount of 0, and for adding credits of another class,
 * which only payments add; insufficient_credits for more than the pool has; conflict,
 * including for adding credits of a closed account
 */
export async function adjustPool(
  context: ChangeContext & LedgerContext,
  operatorId: string,
  { amount, class: creditClass }: { amount: number; class: CreditClass },
) {
  const issues: Record<string, string[]> = {};
  if (amount === 0) issues.amount = ['must not be 0'];
  if (amount > 0 && creditClass !== 'promotional')
    issues.class = ['must be promotional for credits that are added: payments add the other classes'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return changeOperator(context, operatorId, async (tx, operator) => {
    if (amount > 0) requireOpen(operator);
    await adjustIn(tx, context, poolOf(operator), creditClass, amount);
  });
}
