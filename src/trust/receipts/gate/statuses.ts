import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestamp } from '../../../platform/time/clock.ts';
import type { Domain } from '../../../proof/receipt/receipt.ts';
import { stakeCents } from '../../ledger/balances.ts';
import { factsOf, type GateContext, type GateOperator } from './facts.ts';
import { newestOfEachDomain } from './store.ts';
import { type Finalization, gateVerdict, MAX_WEIGHED, slaForecast } from './verdict.ts';

/**
 * Returns an operator's gate status in each domain: `verify` as the public check sees it, without blind
 * receipts, and `issue` as issuing sees it, with them.
 */
export async function gateStatuses(
  snapshot: Snapshot,
  { policy, clock }: GateContext,
  operator: GateOperator,
) {
  const now = clock.now();
  const stake = await stakeCents(snapshot, operator.operatorSeq);
  const statusOf = (newest: readonly Finalization[], domain: Domain) => {
    const facts = factsOf(policy, operator, stake, domain, newest);
    const { receipts, breaches, breachesUntilDenied, deniesAt, liftsAt } = slaForecast(
      facts,
      now,
      policy.sla,
    );
    return {
      reason: gateVerdict(facts, now, policy.sla),
      receipts,
      breaches,
      breaches_until_denied: breachesUntilDenied,
      denies_at: textOf(deniesAt),
      lifts_at: textOf(liftsAt),
    };
  };
  const { operatorSeq } = operator;
  const newest = await newestOfEachDomain(snapshot, { operatorSeq, limit: MAX_WEIGHED });
  return newest.map(({ domain, open, blind }) => ({
    domain,
    verify: statusOf(open, domain),
    issue: statusOf([...open, ...blind], domain),
  }));
}

function textOf(time: number | null): string | null {
  return time === null ? null : timestamp({ now: () => time });
}
