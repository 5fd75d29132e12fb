import type { Transaction } from '../../platform/store/transaction.ts';
import { type Clock, timestamp } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { Principals } from './auth/authenticate.ts';
import { type OperatorRow, updatePardon, updatePlan, updateStatus } from './store.ts';

/**
 * Sets the plan of an operator by its subscriptions. After the first one, the quota of FREE applies to the
 * operator while it has none.
 */
export async function setPlanIn(
  tx: Transaction,
  { principals }: { principals: Principals },
  operatorSeq: number,
  plan: OperatorRow['plan'],
): Promise<void> {
  await updatePlan(tx, { operatorSeq, plan });
  principals.changedIn(tx);
}

/** Sets the status of an account. It replaces a status that an administrator or a refund set before. */
export async function setStatusIn(
  tx: Transaction,
  { principals, clock }: { principals: Principals; clock: Clock },
  operatorSeq: number,
  accountStatus: OperatorRow['accountStatus'],
): Promise<void> {
  await updateStatus(tx, { operatorSeq, accountStatus, now: clock.now() });
  principals.changedIn(tx);
}

/**
 * Suspends an operator or activates it again, for an administrator.
 * @throws ApiError conflict for a closed account
 */
export async function setStatusByAdministratorIn(
  tx: Transaction,
  clock: Clock,
  operator: OperatorRow,
  accountStatus: 'ACTIVE' | 'SUSPENDED',
): Promise<void> {
  requireOpen(operator);
  await updateStatus(tx, { operatorSeq: operator.operatorSeq, accountStatus, now: clock.now() });
}

/** @throws ApiError conflict for a closed account, which nothing opens again */
export function requireOpen({ operatorId, accountStatus }: OperatorRow): void {
  if (accountStatus !== 'CLOSED') return;
  throw commonErrors.conflict({
    message: `The operator ${operatorId} is closed, which is final. Name another operator.`,
  });
}

/** Pardons an operator's SLA breaches up to now: the gate no longer counts them. */
export async function pardonIn(tx: Transaction, clock: Clock, { operatorSeq }: OperatorRow): Promise<void> {
  await updatePardon(tx, { operatorSeq, pardonedAt: timestamp(clock) });
}
