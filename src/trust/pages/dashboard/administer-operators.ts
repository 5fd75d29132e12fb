import { Type } from '@sinclair/typebox';
import { type Cursors, positionNumber } from '../../../platform/http/pagination/cursor.ts';
import type { Paging } from '../../../platform/http/pagination/page.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { commonErrors } from '../../http/errors.ts';
import { pageRequest } from '../../http/paging.ts';
import { type CreditClass, poolOf, stakeOf } from '../../ledger/accounts.ts';
import { adjustIn } from '../../ledger/adjust.ts';
import { stakeCents } from '../../ledger/figures.ts';
import type { LedgerContext } from '../../ledger/post.ts';
import { pardonIn, requireOperatorIn, setStatusByAdministratorIn } from '../../operators/account-state.ts';
import type { Principals } from '../../operators/auth/principals.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import { type OperatorRow, operatorsAfter } from '../../operators/status.ts';
import { operatorStatusOf } from './operator-status.ts';

/** The parts that changing an operator uses: the store, and the cache to invalidate. */
type ChangeContext = { store: Store; principals: Principals };

/** The list of all operators, for the administrator. */
const OPERATORS = { name: 'operators', position: Type.Tuple([positionNumber]) };

/**
 * Returns a page of all operators with their status, oldest first.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function listOperators(
  { store, policy, cursors }: { store: Store; policy: OperatorsPolicy; cursors: Cursors },
  query: Paging,
) {
  const { limit, after, takePage } = pageRequest(query, cursors.of(OPERATORS, []));
  return store.read(async (snapshot) => {
    const { page, next_cursor } = takePage(
      await operatorsAfter(snapshot, after?.[0] ?? 0, limit + 1),
      (last) => [last.operatorSeq],
    );
    const operators: Awaited<ReturnType<typeof operatorStatusOf>>[] = [];
    for (const operator of page) operators.push(await operatorStatusOf(snapshot, operator, policy.tiers));
    return { operators, next_cursor };
  });
}

/**
 * Suspends an operator or activates it again, from the next request on.
 * @throws ApiError not_found, conflict for a closed account
 */
export async function setAccountStatus(
  context: ChangeContext & { policy: OperatorsPolicy },
  operatorId: string,
  accountStatus: 'ACTIVE' | 'SUSPENDED',
) {
  return change(context, operatorId, (tx, operator) =>
    setStatusByAdministratorIn(tx, operator, accountStatus),
  );
}

/**
 * Pardons an operator's SLA breaches up to now: the gate no longer counts them.
 * @throws ApiError not_found
 */
export async function pardonOperator(
  context: ChangeContext & { policy: OperatorsPolicy; clock: Clock },
  operatorId: string,
) {
  return change(context, operatorId, (tx, operator) => pardonIn(tx, context.clock, operator));
}

/**
 * Sets an operator's stake, in US cents, by a booking of the difference.
 * @throws ApiError not_found, conflict
 */
export async function setStake(context: ChangeContext & LedgerContext, operatorId: string, wanted: number) {
  return change(context, operatorId, async (tx, operator) => {
    const difference = wanted - (await stakeCents(tx, operator.operatorSeq));
    await adjustIn(tx, context, stakeOf(operator), 'cents', difference);
  });
}

/**
 * Adds credits of a class to an operator's pool, or with a negative amount removes them.
 * @throws ApiError not_found; insufficient_credits for more than the pool has; conflict
 */
export async function adjustPool(
  context: ChangeContext & LedgerContext,
  operatorId: string,
  amount: number,
  creditClass: CreditClass,
) {
  return change(context, operatorId, (tx, operator) =>
    adjustIn(tx, context, poolOf(operator), creditClass, amount),
  );
}

/**
 * Adds promotional credits to an operator's pool, or with a negative amount removes credits of a class.
 * @throws ApiError not_found; validation_error for an amount of 0, and for adding credits of another class,
 * which only payments bring; insufficient_credits for more than the pool has; conflict
 */
export async function adjustAsAdministrator(
  context: ChangeContext & LedgerContext,
  operatorId: string,
  amount: number,
  creditClass: CreditClass,
) {
  const issues: Record<string, string[]> = {};
  if (amount === 0) issues.amount = ['must not be 0'];
  if (amount > 0 && creditClass !== 'promotional')
    issues.class = ['must be promotional for credits that are added: payments add the other classes'];
  if (Object.keys(issues).length > 0) throw commonErrors.validation_error({ issues });
  return adjustPool(context, operatorId, amount, creditClass);
}

async function change(
  { store, principals, policy }: ChangeContext & { policy: OperatorsPolicy },
  operatorId: string,
  act: (tx: Transaction, operator: OperatorRow) => Promise<void>,
) {
  return store.writeAsService(async (tx) => {
    await act(tx, await requireOperatorIn(tx, operatorId));
    principals.changedIn(tx);
    return operatorStatusOf(tx, await requireOperatorIn(tx, operatorId), policy.tiers);
  });
}
