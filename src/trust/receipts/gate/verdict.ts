export const GATE_REASONS = [
  'OK',
  'OPERATOR_UNKNOWN',
  'OPERATOR_SUSPENDED',
  'INSUFFICIENT_ESCROW_BOND',
  'SLA_BREACH_THRESHOLD_EXCEEDED',
  'ZERO_TENANCY_REJECT',
] as const;
export type GateReason = (typeof GATE_REASONS)[number];

/** The time when a receipt was finalized, in milliseconds since 1970, and whether it is an SLA breach (1). */
export type Finalization = readonly [at: number, breach: 0 | 1];

/** The facts about an operator in one domain that the gate weighs. */
export interface GateFacts {
  accountStatus: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  /** US cents. */
  stakeCents: number;
  minimumStakeCents: number;
  /** The newest finalizations that are not revoked, at least 20 if there are as many, in any order. */
  newest: readonly Finalization[];
  /** Breaches up to this time, in milliseconds since 1970, are pardoned; null for none. */
  pardonedAt: number | null;
}

/** The number of finalizations that are read. No setting allows more. */
export const MAX_WEIGHED = 20;

/**
 * The SLA rule. Of the `newest` receipts, those finalized within the window count. The gate denies if there
 * are at least `minimumReceipts` of them and more than `sharePercent` are breaches.
 */
export interface SlaPolicy {
  /** Milliseconds. */
  windowMs: number;
  /** 0 to 100. */
  sharePercent: number;
  /** 1 to `newest`. */
  minimumReceipts: number;
  /** 1 to MAX_WEIGHED. */
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
 * Returns the gate's verdict on an operator in a domain at the time `now` (milliseconds since 1970): the
 * first reason that applies. SLA breaches before a pardon do not count.
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

/**
 * The times and the number of breaches at which the SLA rule denies an operator in a domain, or stops. Times:
 * milliseconds since 1970.
 */
export interface SlaForecast extends Weighed {
  /** The number of consecutive breaches that make the rule deny; 0 while it denies, null for never. */
  breachesUntilDenied: number | null;
  /**
   * The time when the rule denies without further receipts, as good ones leave the window; null for never.
   */
  deniesAt: number | null;
  /** The time when the rule stops denying without any further receipt; null while it does not deny. */
  liftsAt: number | null;
}

/** Computes how the SLA rule's result changes after `now`: as receipts leave the window, or with breaches. */
export function slaForecast(all: SlaFacts, now: number, policy: SlaPolicy): SlaForecast {
  const facts = { newest: newestOf(all.newest, policy), pardonedAt: all.pardonedAt };
  const weighed = weigh(facts, now, policy);
  const denied = isDenied(weighed, policy);
  const changesAt = agingTimes(facts, now, policy).find(
    (time) => isDenied(weigh(facts, time, policy), policy) !== denied,
  );
  return {
    ...weighed,
    breachesUntilDenied: denied ? 0 : breachesUntilDenied(facts, now, policy),
    deniesAt: denied ? null : (changesAt ?? null),
    liftsAt: denied ? (changesAt ?? null) : null,
  };
}

type SlaFacts = Pick<GateFacts, 'newest' | 'pardonedAt'>;

interface Weighed {
  /** The number of receipts that are weighed. */
  receipts: number;
  /** The number of them that are breaches and not pardoned. */
  breaches: number;
}

/** Returns the finalizations that the rule weighs, newest first. */
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

/** Returns the times after `now` at which a receipt leaves the window, in ascending order. */
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
