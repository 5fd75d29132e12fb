export const GATE_REASONS = [
  'OK',
  'OPERATOR_UNKNOWN',
  'OPERATOR_SUSPENDED',
  'INSUFFICIENT_ESCROW_BOND',
  'SLA_BREACH_THRESHOLD_EXCEEDED',
  'ZERO_TENANCY_REJECT',
] as const;
export type GateReason = (typeof GATE_REASONS)[number];

/** When a receipt was finalized, in milliseconds since 1970, and whether as an SLA breach (1). */
export type Finalization = readonly [at: number, breach: 0 | 1];

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

/** How many finalizations are read: no rule weighs more. */
export const MAX_WEIGHED = 20;

/**
 * When SLA breaches deny: of the `newest` receipts that were finalized within the window, which are at least
 * `minimumReceipts`, more than `sharePercent` are breaches.
 */
export interface SlaPolicy {
  /** Milliseconds. */
  windowMs: number;
  /** 0 to 100. */
  sharePercent: number;
  /** 1 to `newest`. */
  minimumReceipts: number;
  /** 1 to WEIGHED. */
  newest: number;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
export const DEFAULT_SLA_POLICY: SlaPolicy = {
  windowMs: 30 * DAY_MS,
  sharePercent: 10,
  minimumReceipts: 10,
  newest: MAX_WEIGHED,
};

/**
 * The gate's word on an operator in a domain at the time `now` (milliseconds since 1970): the first reason that applies. A
 * pardon lets the SLA breaches before it weigh nothing.
 */
export function gateVerdict(
  facts: GateFacts | null,
  now: number,
  policy: SlaPolicy = DEFAULT_SLA_POLICY,
): GateReason {
  if (facts === null) return 'OPERATOR_UNKNOWN';
  if (facts.accountStatus !== 'ACTIVE') return 'OPERATOR_SUSPENDED';
  if (facts.stakeCents < facts.minimumStakeCents) return 'INSUFFICIENT_ESCROW_BOND';
  if (isDenied(weigh(facts, now, policy), policy)) return 'SLA_BREACH_THRESHOLD_EXCEEDED';
  return facts.newest.length === 0 ? 'ZERO_TENANCY_REJECT' : 'OK';
}

/** How far an operator is from being denied by the SLA rule in a domain, or how long it still is. Times are in milliseconds since 1970. */
export interface SlaForecast extends Weighed {
  /** How many of the next receipts have to be breaches, one after the other, for the rule to deny; 0 while it does, null if none ever would. */
  breachesUntilDenied: number | null;
  /** When it denies without any further receipt, since good ones have aged; null if it does not. */
  deniesAt: number | null;
  /** When it stops denying without any further receipt; null while it does not deny. */
  liftsAt: number | null;
}

/** Looks ahead from `now`: how the rule's answer changes as the weighed receipts age, or as breaches follow. */
export function slaForecast(all: SlaFacts, now: number, policy: SlaPolicy): SlaForecast {
  const facts = { newest: newestOf(all.newest, policy), pardonedAt: all.pardonedAt };
  const weighed = weigh(facts, now, policy);
  const denied = isDenied(weighed, policy);
  const turnsAt = agingTimes(facts, now, policy).find(
    (time) => isDenied(weigh(facts, time, policy), policy) !== denied,
  );
  return {
    ...weighed,
    breachesUntilDenied: denied ? 0 : breachesUntilDenied(facts, now, policy),
    deniesAt: denied ? null : (turnsAt ?? null),
    liftsAt: denied ? (turnsAt ?? null) : null,
  };
}

type SlaFacts = Pick<GateFacts, 'newest' | 'pardonedAt'>;

interface Weighed {
  /** How many receipts are weighed. */
  receipts: number;
  /** How many of them are breaches that were not pardoned. */
  breaches: number;
}

/** The newest finalizations that the rule looks at, newest first. */
function newestOf(finalizations: readonly Finalization[], { newest }: SlaPolicy): Finalization[] {
  return finalizations.toSorted(([left], [right]) => right - left).slice(0, newest);
}

function weigh({ newest, pardonedAt }: SlaFacts, now: number, policy: SlaPolicy): Weighed {
  const weighed = newestOf(newest, policy).filter(([at]) => at > now - policy.windowMs);
  const breaches = weighed.filter(([at, breach]) => breach === 1 && (pardonedAt === null || at > pardonedAt));
  return { receipts: weighed.length, breaches: breaches.length };
}

function isDenied({ receipts, breaches }: Weighed, { minimumReceipts, sharePercent }: SlaPolicy): boolean {
  return receipts >= minimumReceipts && breaches * 100 > receipts * sharePercent;
}

/** The times after `now` at which a receipt is weighed no longer, in their order. */
function agingTimes({ newest }: SlaFacts, now: number, { windowMs }: SlaPolicy): number[] {
  return newest
    .map(([at]) => at + windowMs)
    .filter((time) => time > now)
    .toSorted((left, right) => left - right);
}

function breachesUntilDenied(
  { newest, pardonedAt }: SlaFacts,
  now: number,
  policy: SlaPolicy,
): number | null {
  const next: Finalization = [Math.max(now, (pardonedAt ?? 0) + 1), 1];
  const further: Finalization[] = [];
  while (further.length < policy.newest) {
    further.push(next);
    if (isDenied(weigh({ newest: [...further, ...newest], pardonedAt }, now, policy), policy))
      return further.length;
  }
  return null;
}
