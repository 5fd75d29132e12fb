import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import type { Principals } from '../../operators/auth/authenticate.ts';
import type { LastingActs } from '../../operators/restored/lasting-acts.ts';
import { deleteKeys } from '../../operators/status.ts';
import { removeWebhook } from '../../webhooks/webhook.ts';
import {
  agentsWithPayloads,
  erasePayloads,
  idleOperators,
  isIdle,
  keyHashesOf,
  newestOperator,
  putErasure,
  webhooksOf,
} from './store.ts';

/** The operators that one call looks at. */
const LOOKED_AT = 200;
/** The rows that one transaction deletes, so that it takes milliseconds. */
const BATCH = 100;
/** The transactions of one call, so that a command need not wait long for its response. */
const TRANSACTIONS = 100;

/** The parts of the service that expiring operators uses. */
export interface ExpiryContext {
  store: Store;
  clock: Clock;
  principals: Principals;
  acts: LastingActs;
  /** Drops the queue of a webhook that was deleted. */
  dropQueue(webhookId: string): void;
}

/** The time from which an operator must have been used: RFC 3339, and in milliseconds since 1970. */
interface Since {
  since: string;
  sinceMs: number;
}

/** What of an operator was deleted, or would be. */
interface Expired {
  operator_id: string;
  keys: number;
  webhooks: number;
  payloads: number;
}

/**
 * Deletes keys, webhooks and payloads of evidence of operators that agents made for themselves and that
 * nobody used for some days; looks at a part of all operators, from a number on. Receipts, leaves and
 * journals stay.
 * @returns what was deleted or, with `dryRun`, would be; `next` for the next call, null at the end
 */
export async function expireOperators(
  context: ExpiryContext,
  { idleDays, after, dryRun }: { idleDays: number; after: number; dryRun: boolean },
) {
  const { store, clock } = context;
  const sinceMs = clock.now() - idleDays * DAY_MS;
  const since = timestampOf(sinceMs);
  const through = after + LOOKED_AT;
  const { idle, newest } = await store.read(async (snapshot) => ({
    idle: await idleOperators(snapshot, { after, through, since, sinceMs }),
    newest: (await newestOperator(snapshot)) ?? 0,
  }));
  const operators: Expired[] = [];
  const budget = { transactions: TRANSACTIONS };
  for (const { operatorSeq, operatorId } of idle) {
    const expired = { operator_id: operatorId, keys: 0, webhooks: 0, payloads: 0 };
    const isDone = dryRun
      ? await countIn(context, operatorSeq, expired)
      : await expireOne(context, { operatorSeq, since, sinceMs }, expired, budget);
    if (expired.keys + expired.webhooks + expired.payloads > 0) operators.push(expired);
    // The next call goes on with this operator.
    if (!isDone) return { operators, next: operatorSeq - 1 };
  }
  return { operators, next: through < newest ? through : null };
}

/** Counts what an operator has. Always done. */
async function countIn({ store }: ExpiryContext, operatorSeq: number, counted: Expired): Promise<true> {
  await store.read(async (snapshot) => {
    counted.keys = (await keyHashesOf(snapshot, { operatorSeq, limit: 10_000 })).length;
    counted.webhooks = (await webhooksOf(snapshot, operatorSeq)).length;
    for (const { erased, newest } of await agentsWithPayloads(snapshot, { operatorSeq, limit: 10_000 }))
      counted.payloads += newest - erased;
  });
  return true;
}

/** Deletes what an idle operator has, in bounded transactions. @returns whether nothing is left */
async function expireOne(
  context: ExpiryContext,
  operator: { operatorSeq: number } & Since,
  deleted: Expired,
  budget: { transactions: number },
): Promise<boolean> {
  while (budget.transactions > 0) {
    budget.transactions -= 1;
    const step = await expireStep(context, operator);
    await context.acts.written();
    deleted.keys += step.keys;
    deleted.webhooks += step.webhooks;
    deleted.payloads += step.payloads;
    if (step.keys + step.webhooks + step.payloads === 0) return true;
  }
  return false;
}

/** Deletes up to 100 rows of an operator that is still idle. */
function expireStep(
  { store, clock, principals, dropQueue }: ExpiryContext,
  { operatorSeq, ...since }: { operatorSeq: number } & Since,
) {
  return store.writeAsService(async (tx) => {
    const nothing = { keys: 0, webhooks: 0, payloads: 0 };
    // A request meanwhile ends it. It cannot come from a deleted key, so the keys go first.
    if (!(await isIdle(tx, { operatorSeq, ...since }))) return nothing;
    const hashes = await keyHashesOf(tx, { operatorSeq, limit: BATCH });
    if (hashes.length > 0) {
      await deleteKeys(tx, hashes);
      principals.changedIn(tx);
      return { ...nothing, keys: hashes.length };
    }
    const webhooks = await webhooksOf(tx, operatorSeq);
    for (const { webhookSeq, webhookId } of webhooks) {
      await removeWebhook(tx, webhookSeq);
      tx.afterCommit(() => dropQueue(webhookId));
    }
    if (webhooks.length > 0) return { ...nothing, webhooks: webhooks.length };
    const [agent] = await agentsWithPayloads(tx, { operatorSeq, limit: 1 });
    if (agent === undefined) return nothing;
    const { agentSeq, erased: after, newest } = agent;
    const through = Math.min(newest, after + BATCH);
    await putErasure(tx, { agentSeq, throughPosition: through, erasedAt: clock.now() });
    await erasePayloads(tx, { agentSeq, after, through });
    return { ...nothing, payloads: through - after };
  });
}
