import type { Finalization } from '../../../db/trust/gate.ts';

export const GATE_REASONS = [
  'OK',
  'OPERATOR_UNKNOWN',
  'OPERATOR_SUSPENDED',
  'INSUFFICIENT_ESCROW_BOND',
  'SLA_BREACH_THRESHOLD_EXCEEDED',
  'ZERO_TENANCY_REJECT',
] as const;
export type GateReason = (typeof GATE_REASONS)[number];

/** What the gate weighs, of an operator in one domain. */
export interface GateFacts {
  accountStatus: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  /** US cents. */
  stakeCents: number;
  minimumStakeCents: number;
  /** At least the newest 20 finalizations that are not revoked, in any order; none only where there are none. */
  newest: readonly Finalization[];
  /** Milliseconds since 1970, up to which breaches are pardoned; null when none are. */
  pardonedAt: number | null;
}

/** How many finalizations are weighed. */
export const WEIGHED = 20;
const ENOUGH = 10;
const MOST_BREACHES = 0.1;
const WINDOW_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * The gate's word on an operator in a domain at the time `now` (milliseconds since 1970): the first reason that applies. Of
 * at least 10 receipts finalized in the 30 days before, more than a tenth of the newest 20 as SLA breaches deny; a pardon
 * lets those before it weigh nothing.
 */
export function gateVerdict(facts: GateFacts | null, now: number): GateReason {
  if (facts === null) return 'OPERATOR_UNKNOWN';
  if (facts.accountStatus !== 'ACTIVE') return 'OPERATOR_SUSPENDED';
  if (facts.stakeCents < facts.minimumStakeCents) return 'INSUFFICIENT_ESCROW_BOND';
  const since = now - WINDOW_MS;
  const weighed = newestOf(facts.newest)
    .filter(([at]) => at > since)
    .map(([at, breach]) => (facts.pardonedAt !== null && at <= facts.pardonedAt ? 0 : breach));
  const breaches = weighed.filter((breach) => breach === 1).length;
  if (weighed.length >= ENOUGH && breaches > weighed.length * MOST_BREACHES)
    return 'SLA_BREACH_THRESHOLD_EXCEEDED';
  return facts.newest.length === 0 ? 'ZERO_TENANCY_REJECT' : 'OK';
}

/** The newest finalizations that are weighed, newest first. */
function newestOf(finalizations: readonly Finalization[]): Finalization[] {
  return finalizations.toSorted(([left], [right]) => right - left).slice(0, WEIGHED);
}
