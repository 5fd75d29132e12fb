import type { Store } from '../../platform/store/store.ts';
import type { Snapshot, Transaction } from '../../platform/store/transaction.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { poolOf } from '../ledger/accounts.ts';
import { creditsIn, stakesOf } from '../ledger/balances.ts';
import { totalOf } from '../ledger/portions.ts';
import { setStatusIn } from '../operators/account-state.ts';
import type { Principals } from '../operators/auth/authenticate.ts';
import { deleteKeysIn } from '../operators/delete-keys.ts';
import { requireOperatorIn } from '../operators/require-operator.ts';
import type { LastingActs } from '../operators/restored/lasting-acts.ts';
import { hasLastAdminKey, type OperatorRow } from '../operators/status.ts';
import { removeWebhooksIn } from '../webhooks/webhook.ts';
import { liveSubscriptions } from './checkout-store.ts';
import { agentsWithCredits, openTasks, openWithdrawals, sponsoredAgents } from './close-store.ts';
import { operatorDebts } from './operator-debts.ts';
import type { PaymentProcessor } from './processor/processor.ts';
import { requireProcessor } from './require-processor.ts';
import { endSubscriptionIn } from './subscriptions.ts';

/** The parts of the service that closing an operator uses. */
export type CloseContext = {
  store: Store;
  clock: Clock;
  principals: Principals;
  acts: LastingActs;
  /** Drops the queue of a webhook that was deleted. */
  dropQueue(webhookId: string): void;
  processor: () => Promise<PaymentProcessor | null>;
};

/** The most names of one kind that an error lists. */
const MOST_NAMED = 5;

/**
 * Closes an operator for good: ends its subscriptions at the payment processor, then sets its status to
 * CLOSED and deletes its API keys, which ends their sessions, and its webhooks, which nobody could delete any
 * more. Repeated, it deletes what is left.
 * Payments that arrive later are not booked, so it can no longer pay what it owes. A local operation.
 * @param despiteDebt closes an operator that owes something; the debt stays in the ledger
 * @throws ApiError not_found; conflict for the operator with the last admin key; conflict while it has
 * sponsored agents, credits, a stake, open engagements or withdrawals, or owes something, for a subscription
 * that the processor does not know, and for one that was paid meanwhile; not_configured,
 * processor_unavailable
 */
export async function closeOperator(
  trust: CloseContext,
  operatorId: string,
  { despite_debt: despiteDebt = false }: { despite_debt?: boolean } = {},
) {
  const { store } = trust;
  const subscriptions = await store.read(async (snapshot) => {
    const operator = await requireOperatorIn(snapshot, operatorId);
    if (operator.accountStatus === 'CLOSED') return [];
    await requireEmptyIn(snapshot, operator, despiteDebt);
    return liveSubscriptions(snapshot, operator.operatorSeq);
  });
  for (const subscriptionId of subscriptions) await endAtProcessor(trust, subscriptionId);
  const { operatorSeq, debts } = await store.writeAsService(async (tx) => {
    const operator = await requireOperatorIn(tx, operatorId);
    // A payment, a refund or an agent may have come meanwhile.
    if (operator.accountStatus !== 'CLOSED') {
      await requireEmptyIn(tx, operator, despiteDebt);
      await closeIn(tx, trust, operator, subscriptions);
    }
    return { operatorSeq: operator.operatorSeq, debts: await operatorDebts(tx, operator.operatorSeq) };
  });
  let deleted_keys = 0;
  for (let deleted = -1; deleted !== 0; deleted_keys += deleted)
    deleted = await store.writeAsService((tx) => deleteKeysIn(tx, trust, operatorSeq));
  await trust.acts.written();
  const deleted_webhooks = await store.writeAsService((tx) =>
    removeWebhooksIn(tx, operatorSeq, trust.dropQueue),
  );
  return {
    operator_id: operatorId,
    accountStatus: 'CLOSED' as const,
    ended_subscriptions: subscriptions,
    deleted_keys,
    deleted_webhooks,
    owedCredits: debts.credits,
    owedStakeCents: debts.stakeCents,
  };
}

/** @param ended the subscriptions that have ended at the processor */
async function closeIn(
  tx: Transaction,
  trust: CloseContext,
  operator: OperatorRow,
  ended: readonly string[],
): Promise<void> {
  const { operatorSeq, operatorId } = operator;
  const live = await liveSubscriptions(tx, operatorSeq);
  if (live.some((subscriptionId) => !ended.includes(subscriptionId))) {
    throw commonErrors.conflict({
      message: `The operator ${operatorId} got another subscription meanwhile. Close it again.`,
    });
  }
  for (const subscriptionId of live) await endSubscriptionIn(tx, trust, subscriptionId);
  await setStatusIn(tx, trust, operatorSeq, 'CLOSED');
}

async function endAtProcessor(trust: CloseContext, subscriptionId: string): Promise<void> {
  const processor = await requireProcessor(trust);
  if (await processor.endSubscription(subscriptionId)) return;
  throw commonErrors.conflict({
    message:
      `The payment processor does not know the subscription ${subscriptionId}, so another account may have it. Configure the account ` +
      'that has it, then close the operator again.',
  });
}

/** @throws ApiError conflict that names what the operator still has, or owes */
async function requireEmptyIn(
  snapshot: Snapshot,
  operator: OperatorRow,
  despiteDebt: boolean,
): Promise<void> {
  const { operatorSeq, operatorId } = operator;
  if (await hasLastAdminKey(snapshot, operatorSeq)) {
    throw commonErrors.conflict({
      message: `The operator ${operatorId} has the last admin key, which closing it would delete. Make an admin key of another active operator first (countersign operators create --admin).`,
    });
  }
  const range = { operatorSeq, limit: MOST_NAMED + 1 };
  const credits = totalOf(await creditsIn(snapshot, poolOf(operator)));
  const { cents, sandboxCents } = await stakesOf(snapshot, operatorSeq);
  const rest = [
    listed('sponsored agents', await sponsoredAgents(snapshot, range)),
    credits > 0 ? `${credits} credits in the pool` : null,
    listed('credits of the agents', await agentsWithCredits(snapshot, range)),
    cents + sandboxCents > 0 ? `a stake of ${cents + sandboxCents} US cents` : null,
    listed('open engagements', await openTasks(snapshot, range)),
    listed('open withdrawals', await openWithdrawals(snapshot, range)),
  ].filter((one) => one !== null);
  if (rest.length > 0) {
    throw commonErrors.conflict({
      message: `The operator ${operatorId} cannot be closed, because it still has ${rest.join('; ')}. Remove them first.`,
    });
  }
  if (!despiteDebt) await requireNoDebtIn(snapshot, operator);
}

/** @throws ApiError conflict that names the debt: a closed operator cannot pay it */
async function requireNoDebtIn(snapshot: Snapshot, { operatorSeq, operatorId }: OperatorRow): Promise<void> {
  const { credits, sandboxCredits, stakeCents, sandboxStakeCents } = await operatorDebts(
    snapshot,
    operatorSeq,
  );
  const owed = [
    credits > 0 ? `${credits} credits` : null,
    sandboxCredits > 0 ? `${sandboxCredits} sandbox credits` : null,
    stakeCents + sandboxStakeCents > 0 ? `${stakeCents + sandboxStakeCents} US cents of stake` : null,
  ].filter((one) => one !== null);
  if (owed.length === 0) return;
  throw commonErrors.conflict({
    message:
      `The operator ${operatorId} owes ${owed.join(' and ')} after a refund, and cannot pay once it is closed. Let it top up first. To ` +
      'close it with this debt, which stays in the ledger, use despite_debt (--despite-debt).',
  });
}

function listed(what: string, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const more = names.length > MOST_NAMED ? ', …' : '';
  return `${what} (${names.slice(0, MOST_NAMED).join(', ')}${more})`;
}
