import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { setPlanIn } from '../operators/account-state.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import {
  endSubscription,
  hasLiveSubscription,
  lastEnd,
  putSubscription,
  scheduleEnd,
  subscriptionById,
} from './checkout-store.ts';
import type { BillingFact } from './facts.ts';

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

/**
 * Stores when a subscription of an order of this service ends if it is not renewed, or that it goes on. The
 * newest event counts. The plan stays until the subscription has ended.
 * @returns whether it is of this service
 */
export async function scheduleEndIn(
  tx: Transaction,
  { subscriptionId, operatorId, endsAt, at: changedAt }: BillingFact & { kind: 'scheduled' },
): Promise<boolean> {
  if (operatorId === null && (await subscriptionById(tx, subscriptionId)) === null) return false;
  await scheduleEnd(tx, { subscriptionId, endsAt, changedAt });
  return true;
}

/** Returns when the subscription of an operator ends without a renewal; null if one goes on, or for none. */
export async function subscriptionEnd(snapshot: Snapshot, operatorSeq: number): Promise<number | null> {
  return lastEnd(snapshot, operatorSeq);
}

async function updatePlanIn(tx: Transaction, context: PlanContext, operatorSeq: number): Promise<void> {
  const isPro = await hasLiveSubscription(tx, operatorSeq);
  await setPlanIn(tx, context, operatorSeq, isPro ? 'PRO' : 'FREE');
}
