import { DAY_MS } from '../../../platform/time/units.ts';
import { parseTimestamp } from '../../../proof/encoding/timestamp.ts';

export const GATE_REASONS = [
  'OK',
  'OPERATOR_UNKNOWN',
  'OPERATOR_SUSPENDED',
  'INSUFFICIENT_ESCROW_BOND',
  'SLA_BREACH_THRESHOLD_EXCEEDED',
  'ABANDONED_SHARE_EXCEEDED',
  'ZERO_TENANCY_REJECT',
] as const;
export type GateReason = (typeof GATE_REASONS)[number];

/** A finalized receipt as the gate counts it. */
export interface Finalization {
  /**
   * Since when it counts, in milliseconds since 1970: a breach from its finalization, every other receipt
   * from its issue. So who issues receipts ahead and finalizes them after breaches does not push the breaches
   * out of the newest ones.
   */
  at: number;
  /** Whether it is an SLA breach. */
  breach: boolean;
}

/** The facts about an operator in one domain that the gate weighs. */
export interface GateFacts {
  accountStatus: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  /** US cents. */
  stakeCents: number;
  minimumStakeCents: number;
  /** The newest finalized receipts, at least 20 if there are as many, in any order. */
  newest: readonly Finalization[];
  /** When the newest abandoned receipts were abandoned, in milliseconds since 1970, in any order. */
  abandoned: readonly number[];
  /** Breaches up to this time, in milliseconds since 1970, are pardoned; null for none. */
  pardonedAt: number | null;
}

/** The number of finalized receipts that the SLA rule reads. No setting allows more. */
export const MAX_WEIGHED = 20;
/** The number of receipts of which the abandoned ones are counted. */
export const MAX_SHARED = 100;

/**
 * The rules about receipts. SLA: of the `newest` receipts, those within the window count. The gate denies if
 * there are at least `minimumReceipts` of them and more than `sharePercent` are breaches. Abandoned: of the
 * newest MAX_SHARED finalized and abandoned receipts within the window, if they are at least
 * `minimumReceipts`, at most `maxAbandonedPercent` may be abandoned.
 */
export interface GateRules {
  /** Milliseconds. */
  windowMs: number;
  /** 0 to 100. */
  sharePercent: number;
  /** 1 to `newest`. */
  minimumReceipts: number;
  /** 1 to MAX_WEIGHED. */
  newest: number;
  /** 0 to 100; null: the gate denies nobody for abandoned receipts. */
  maxAbandonedPercent: number | null;
}

export const DEFAULT_RULES: GateRules = {
  windowMs: 30 * DAY_MS,
  sharePercent: 10,
  minimumReceipts: 10,
  newest: MAX_WEIGHED,
  maxAbandonedPercent: null,
};

/**
 * Returns the gate's verdict on an operator in a domain at the time `now` (milliseconds since 1970): the
 * first reason that applies. SLA breaches before a pardon do not count.
 */
export function gateVerdict(
  facts: GateFacts | null,
  now: number,
  rules: GateRules = DEFAULT_RULES,
): GateReason {
  if (facts === null) return 'OPERATOR_UNKNOWN';
  if (facts.accountStatus !== 'ACTIVE') return 'OPERATOR_SUSPENDED';
  if (facts.stakeCents < facts.minimumStakeCents) return 'INSUFFICIENT_ESCROW_BOND';
  const denial = denialOf(facts, now, rules);
  if (denial !== null) return denial;
  return facts.newest.length === 0 ? 'ZERO_TENANCY_REJECT' : 'OK';
}

/** A receipt that is pending for this long is abandoned, in milliseconds: 30 days. */
export const ABANDONED_AFTER_MS = 30 * DAY_MS;

/** Returns whether nobody ever said how the work of a receipt ended. @param now milliseconds since 1970 */
export function isAbandoned(
  receipt: { status: string; revocationStatus: string; issuedAt: string; expiry: string },
  now: number,
): boolean {
  if (receipt.status !== 'pending') return false;
  const lapsesAt = Math.min(
    Date.parse(receipt.issuedAt) + ABANDONED_AFTER_MS,
    parseTimestamp(receipt.expiry) ?? Infinity,
  );
  return receipt.revocationStatus === 'revoked' || lapsesAt <= now;
}

/** The facts that change as receipts age. */
export type AgingFacts = Pick<GateFacts, 'newest' | 'abandoned' | 'pardonedAt'>;

/**
 * Counts the abandoned ones of the newest MAX_SHARED receipts within the window that were finalized, or
 * abandoned. @param now milliseconds since 1970
 */
export function abandonedShare(
  { newest, abandoned }: Pick<AgingFacts, 'newest' | 'abandoned'>,
  now: number,
  { windowMs }: Pick<GateRules, 'windowMs'>,
): { abandoned: number; of: number } {
  const ended = [...newest.map(({ at }) => ({ at, left: 0 })), ...abandoned.map((at) => ({ at, left: 1 }))]
    .filter(({ at }) => at > now - windowMs)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, MAX_SHARED);
  return { abandoned: ended.reduce((sum, { left }) => sum + left, 0), of: ended.length };
}

/**
 * The times and the number of breaches at which the rules about receipts deny an operator in a domain, or
 * stop. Times: milliseconds since 1970.
 */
export interface Forecast {
  /** The number of consecutive breaches that make the SLA rule deny; 0 while it denies, null for never. */
  breachesUntilDenied: number | null;
  /**
   * The time when a rule denies without further receipts, as good ones leave the window; null for never.
   */
  deniesAt: number | null;
  /** The time when no rule denies any more without any further receipt; null while none denies. */
  liftsAt: number | null;
}

/** Computes how the rules' result changes after `now`: as receipts leave the window, or with breaches. */
export function forecast(facts: AgingFacts, now: number, rules: GateRules): Forecast {
  const denied = denialOf(facts, now, rules) !== null;
  const changesAt = agingTimes(facts, now, rules).find(
    (time) => (denialOf(facts, time, rules) !== null) !== denied,
  );
  return {
    breachesUntilDenied: breachesUntilDenied(facts, now, rules),
    deniesAt: denied ? null : (changesAt ?? null),
    liftsAt: denied ? (changesAt ?? null) : null,
  };
}

/** Returns the first rule about receipts that denies. */
function denialOf(facts: AgingFacts, now: number, rules: GateRules): GateReason | null {
  if (isBreaching(facts, now, rules)) return 'SLA_BREACH_THRESHOLD_EXCEEDED';
  const { maxAbandonedPercent, minimumReceipts } = rules;
  if (maxAbandonedPercent === null) return null;
  const { abandoned, of } = abandonedShare(facts, now, rules);
  return of >= minimumReceipts && abandoned * 100 > of * maxAbandonedPercent
    ? 'ABANDONED_SHARE_EXCEEDED'
    : null;
}

/** What the SLA rule weighs, newest first. Breaches up to a pardon are receipts without a breach. */
export function weigh<F extends Finalization>(
  { newest, pardonedAt }: { newest: readonly F[]; pardonedAt: number | null },
  now: number,
  rules: GateRules,
): { receipts: F[]; breaches: F[] } {
  const receipts = newest
    .toSorted((one, other) => other.at - one.at)
    .slice(0, rules.newest)
    .filter(({ at }) => at > now - rules.windowMs);
  const breaches = receipts.filter(({ at, breach }) => breach && (pardonedAt === null || at > pardonedAt));
  return { receipts, breaches };
}

function isBreaching(facts: Parameters<typeof weigh>[0], now: number, rules: GateRules): boolean {
  const { receipts, breaches } = weigh(facts, now, rules);
  return (
    receipts.length >= rules.minimumReceipts && breaches.length * 100 > receipts.length * rules.sharePercent
  );
}

/** Returns the times after `now` at which a receipt leaves the window, in ascending order. */
function agingTimes({ newest, abandoned }: AgingFacts, now: number, { windowMs }: GateRules): number[] {
  return [...newest.map(({ at }) => at), ...abandoned]
    .map((at) => at + windowMs)
    .filter((time) => time > now)
    .toSorted((left, right) => left - right);
}

function breachesUntilDenied(facts: AgingFacts, now: number, rules: GateRules): number | null {
  const { newest, pardonedAt } = facts;
  const next = { at: Math.max(now, (pardonedAt ?? 0) + 1), breach: true };
  const further: Finalization[] = [];
  while (further.length <= rules.newest) {
    if (isBreaching({ newest: [...further, ...newest], pardonedAt }, now, rules)) return further.length;
    further.push(next);
  }
  return null;
}
