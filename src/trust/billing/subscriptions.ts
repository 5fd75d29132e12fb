import type { Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { setPlanIn } from '../operators/account-state.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import { endSubscription, hasLiveSubscription, putSubscription } from './checkout-store.ts';

type PlanContext = { principals: Principals; clock: Clock };

/** Binds a subscription to its operator, whose plan is PRO while a subscription has not ended. */
export async function subscribeIn(
  tx: Transaction,
  context: PlanContext,
  subscriptionId: string,
  operatorSeq: number,
): Promise<void> {
  await putSubscription(tx, { subscriptionId, operatorSeq });
  await updatePlanIn(tx, context, operatorSeq);
}

/** Stores that a subscription ended, even of an unknown operator. Without another one, its plan is FREE. */
export async function endSubscriptionIn(
  tx: Transaction,
  context: PlanContext,
  subscriptionId: string,
): Promise<void> {
  const { operatorSeq } = await endSubscription(tx, { subscriptionId, endedAt: context.clock.now() });
  if (operatorSeq !== null) await updatePlanIn(tx, context, operatorSeq);
}

async function updatePlanIn(tx: Transaction, context: PlanContext, operatorSeq: number): Promise<void> {
  const isPro = await hasLiveSubscription(tx, operatorSeq);
  await setPlanIn(tx, context, operatorSeq, isPro ? 'PRO' : 'FREE');
}
