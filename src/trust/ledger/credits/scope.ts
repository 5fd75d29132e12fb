import type { Transaction } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Actor } from '../../operators/auth/actor.ts';
import { firstHourBefore, hourOf } from '../day-by-hours.ts';
import { creditsErrors } from './errors.ts';
import { addSpentInAll, addSpentInHour, spentInAll, spentSince } from './store.ts';

/** A debit that a key authorizes. */
export interface Debit {
  /** Credits. */
  amount: number;
  /** The product that is paid; null for a grant, a transfer or an escrow. */
  product: string | null;
}

/**
 * Checks the spending scope of the key that authorizes a debit, even from its operator's pool, and counts the
 * debit against the limits over time of the scope. A scope with `products` allows these products and nothing
 * else. The authority of the key checks, for every write, that the scope has not ended. What returns to the
 * payer later, such as from an escrow, still counts.
 * @throws ApiError scope_violation
 */
export async function debitScopeIn(
  tx: Transaction,
  { clock }: { clock: Clock },
  { scope, apiKeySeq }: Pick<Actor, 'scope' | 'apiKeySeq'>,
  { amount, product }: Debit,
): Promise<void> {
  if (scope === null) return;
  const { max_credits: most, products, max_credits_total: inAll, max_credits_per_day: perDay } = scope;
  if (most !== undefined && amount > most) {
    throw violation(
      `The scope of this key allows at most ${most} credits in one debit; the request needs ${amount}.`,
    );
  }
  if (products !== undefined && (product === null || !products.includes(product))) {
    const requested = product === null ? 'grants, transfers or escrow' : `the product ${product}`;
    const allowed = products.length === 0 ? 'no products' : `only the products ${products.join(', ')}`;
    throw violation(`The scope of this key allows ${allowed}, not ${requested}.`);
  }
  if ((inAll === undefined && perDay === undefined) || apiKeySeq === null || amount === 0) return;
  const now = clock.now();
  const spent = (await spentInAll(tx, apiKeySeq)) ?? 0;
  requireRoom('in all', inAll ?? Number.MAX_SAFE_INTEGER, spent, amount);
  const ofDay = (await spentSince(tx, { apiKeySeq, hour: firstHourBefore(now) })) ?? 0;
  requireRoom('in 24 hours', perDay, ofDay, amount);
  await addSpentInHour(tx, { apiKeySeq, hour: hourOf(now), credits: amount });
  await addSpentInAll(tx, { apiKeySeq, credits: amount });
}

/** @throws ApiError scope_violation */
function requireRoom(when: string, most: number | undefined, spent: number, amount: number): void {
  if (most === undefined || spent + amount <= most) return;
  throw violation(
    `The scope of this key allows ${most} credits ${when}, of which ${spent} are spent; the request needs ${amount}.`,
  );
}

function violation(problem: string) {
  return creditsErrors.scope_violation({
    message: `${problem} Use a key whose scope allows it. For a debit of an agent, its authorization (agent_auth) has no scope.`,
  });
}
