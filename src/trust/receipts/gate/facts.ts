import type { Snapshot } from '../../../platform/store/transaction.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Domain } from '../../../proof/receipt/receipt.ts';
import { stakeCents } from '../../ledger/balances.ts';
import type { OperatorRow } from '../../operators/status.ts';
import type { GatePolicy } from './settings.ts';
import { type Finalization, type GateFacts, type GateReason, gateVerdict } from './verdict.ts';

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

/** Returns the verdict on an operator in a domain. @param newest what the gate weighs, newest first */
export function reasonWith(
  { policy, clock }: GateContext,
  operator: GateOperator,
  stake: number,
  domain: Domain,
  newest: readonly Finalization[],
): GateReason {
  return gateVerdict(factsOf(policy, operator, stake, domain, newest), clock.now(), policy.sla);
}

/** Collects the facts that the verdict on an operator in a domain needs. @param stake in US cents */
export function factsOf(
  policy: GateContext['policy'],
  { accountStatus, pardonedAt }: GateOperator,
  stake: number,
  domain: Domain,
  newest: readonly Finalization[],
): GateFacts {
  return {
    accountStatus,
    stakeCents: stake,
    minimumStakeCents: policy.minimumStakeCents[domain],
    newest,
    pardonedAt: pardonedAt === null ? null : Date.parse(pardonedAt),
  };
}
