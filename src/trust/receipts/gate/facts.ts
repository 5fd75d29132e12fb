import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Domain } from '../../../proof/receipt/receipt.ts';
import { stakeCents } from '../../ledger/balances.ts';
import type { OperatorRow } from '../../operators/status.ts';
import type { GatePolicy } from './settings.ts';
import { type GateRows, newestAbandoned, newestFinalizations } from './store.ts';
import { abandonedShare, type GateFacts, MAX_SHARED, MAX_WEIGHED } from './verdict.ts';

/** The inputs of a verdict that are not in the database. */
export interface GateContext {
  clock: Clock;
  policy: GatePolicy;
}

/** The columns of an operator that the gate uses. */
export type GateOperator = Pick<OperatorRow, 'operatorSeq' | 'accountStatus' | 'pardonedAt'>;

/**
 * Returns an operator's stake in US cents; 0 if the domain has no minimum, so that most checks do not read
 * it. It is not cached, because an earlier receipt of the same shared transaction can change it.
 */
export async function weighedStake(
  snapshot: Snapshot,
  { minimumStakeCents }: GateContext['policy'],
  operatorSeq: number,
  domain: Domain,
): Promise<number> {
  return minimumStakeCents[domain] > 0 ? stakeCents(snapshot, operatorSeq) : 0;
}

/** Reads what the gate weighs, with the abandoned receipts. @param forms true for blind receipts */
export async function gateRows(
  snapshot: Snapshot,
  { clock, policy }: GateContext,
  of: { operatorSeq: number; domain: Domain },
  forms: readonly boolean[],
): Promise<GateRows> {
  const now = clock.now();
  const query = { ...of, limit: MAX_SHARED };
  const within = { since: now - policy.rules.windowMs, now };
  return {
    newest: await newestFinalizations(snapshot, query, forms),
    abandoned: await newestAbandoned(snapshot, { ...query, ...within }, forms),
  };
}

/** Reads what the gate weighs when it decides: the abandoned receipts only if a setting limits them. */
export async function weighedRows(
  snapshot: Snapshot,
  context: GateContext,
  of: { operatorSeq: number; domain: Domain },
  forms: readonly boolean[],
): Promise<GateRows> {
  if (context.policy.rules.maxAbandonedPercent !== null) return gateRows(snapshot, context, of, forms);
  return { newest: await newestFinalizations(snapshot, { ...of, limit: MAX_WEIGHED }, forms), abandoned: [] };
}

/**
 * Returns how many of an operator's newest receipts in a domain were abandoned, without blind ones, as
 * `verifyGate` says it.
 */
export async function openAbandonedShare(
  snapshot: Snapshot,
  context: GateContext,
  of: { operatorSeq: number; domain: Domain },
) {
  const { newest, abandoned } = await gateRows(snapshot, context, of, [false]);
  const facts = { newest, abandoned: abandoned.map(({ at }) => at) };
  return abandonedShare(facts, context.clock.now(), context.policy.rules);
}

/** Collects the facts that the verdict on an operator in a domain needs. @param stake in US cents */
export function factsOf(
  policy: GateContext['policy'],
  { accountStatus, pardonedAt }: GateOperator,
  stake: number,
  domain: Domain,
  { newest, abandoned }: GateRows,
): GateFacts {
  return {
    accountStatus,
    stakeCents: stake,
    minimumStakeCents: policy.minimumStakeCents[domain],
    newest,
    abandoned: abandoned.map(({ at }) => at),
    pardonedAt: pardonedAt === null ? null : Date.parse(pardonedAt),
  };
}
