import type { Asset } from '../../ledger/accounts.ts';
import type { Tier } from '../../ledger/lots/hold-plan.ts';
import { holdEnd } from '../../ledger/lots/maturity.ts';
import { refundedPart } from '../booking.ts';
import type { PaymentRow, RefundRow } from '../payment-store.ts';
import type { ReportRow } from '../report-store.ts';

/** What is left of a payment, as its reports say. */
type Reported = Pick<ReportRow, 'kind' | 'cents' | 'status' | 'statusAt' | 'money' | 'heldUntil'>;

/** All that the processor told about a payment: the sum of its refunds, if there are any, and reports. */
export interface Told {
  refund: Pick<RefundRow, 'chargeId' | 'cents' | 'createdAt'> | null;
  reports: readonly ReportRow[];
}

/** What the processor said about a payment, in cents. */
interface Sums {
  usdCents: number;
  /** The largest sum of refunds that `charge.refunded` named. It may contain failed ones. */
  charged: number;
  /** The refunds that failed, and the others, as far as they were reported one by one. */
  failed: number;
  made: number;
  /** What was taken for disputes. */
  lost: number;
}

/**
 * Returns how much of a payment the payer has back: refunds that did not fail, and lost disputes; together at
 * most what was paid. A sum of refunds may or may not contain failed ones, and not every refund is reported.
 */
export function goneOf({ usdCents, charged, failed, made, lost }: Sums): number {
  return Math.min(usdCents, Math.max(charged - failed, made) + lost);
}

/** Returns how much of a payment the payer has back, from all that was told about it: see `goneOf`. */
export function goneCents(usdCents: number, { refund, reports }: Told): number {
  const refunds = reports.filter(({ kind }) => kind === 'refund');
  return goneOf({
    usdCents,
    charged: refund?.cents ?? 0,
    failed: sumOf(refunds.filter(({ status }) => status === 'failed')),
    made: sumOf(refunds.filter(({ status }) => status === 'made')),
    lost: lostCents(usdCents, reports),
  });
}

function sumOf(reports: readonly Reported[]): number {
  return reports.reduce((sum, { cents }) => sum + (cents ?? 0), 0);
}

/** Returns how much of a payment the processor took for disputes. */
function lostCents(usdCents: number, reports: readonly Reported[]): number {
  return reports.reduce(
    (sum, { money, cents }) => (money === 'gone' ? sum + Math.min(usdCents, cents ?? usdCents) : sum),
    0,
  );
}

/** A part of a payment that the payer has back, or wants back, and until when credits are held for it. */
interface Claim {
  cents: number;
  until: number;
}

/**
 * Returns which credits of a payment are held, and until when: those that are disputed or warned of and not
 * decided, and those that refunds and lost disputes took and that the operator owes.
 * @param gone what `goneCents` returns @param owed what the operator owes of this asset
 * @param now milliseconds since 1970
 */
export function heldTiers(
  payment: PaymentRow,
  asset: Asset,
  { refund, reports }: Told,
  { gone, owed, now }: { gone: number; owed: number; now: number },
): Tier[] {
  const { usdCents } = payment;
  const creditsOf = (cents: number): number => {
    const part = refundedPart(payment, Math.min(usdCents, cents));
    return asset === 'promotional' ? part.promotional : part.amount;
  };
  const claimOf = ({ cents, heldUntil: until }: Reported): Claim => ({
    cents: Math.min(usdCents, cents ?? usdCents),
    until,
  });
  // A decision about a dispute is one about the warnings before it.
  const decidedAt = Math.max(
    0,
    ...reports.map(({ status, statusAt }) => (status === 'released' ? statusAt : 0)),
  );
  const disputes = reports.filter(
    ({ kind, status, statusAt }) =>
      (kind === 'dispute' && status !== 'released') || (kind === 'warning' && statusAt > decidedAt),
  );
  const lost = disputes.filter(({ money }) => money === 'gone').map(claimOf);
  const open = disputes.filter(({ money }) => money !== 'gone').map(claimOf);
  const taken = [...refundClaims(refund, reports), ...lost].filter(({ until }) => until > now);
  let cents = Math.max(0, gone - centsOf(taken));
  let collected = Math.max(0, creditsOf(gone) - creditsOf(cents) - owed);
  const tierOf = (claim: Claim): Tier => {
    const next = Math.min(usdCents, cents + claim.cents);
    const amount = creditsOf(next) - creditsOf(cents);
    cents = next;
    return { amount, until: claim.until };
  };
  const takenTiers = latestFirst(taken).map(tierOf);
  const openTiers = latestFirst(open.filter(({ until }) => until > now)).map(tierOf);
  // What was collected is not held. It counts for the earliest end, so that a debt is held to the latest.
  for (const tier of [...takenTiers].reverse()) {
    const there = Math.min(tier.amount, collected);
    collected -= there;
    tier.amount -= there;
  }
  const tiers = [...takenTiers, ...openTiers].filter(({ amount }) => amount > 0);
  return tiers.sort((one, other) => other.until - one.until);
}

/** Returns the refunds that did not fail: those that were reported one by one, and the rest of their sum. */
function refundClaims(refund: Told['refund'], reports: readonly Reported[]): Claim[] {
  const refunds = reports.filter(({ kind }) => kind === 'refund');
  const made = refunds.filter(({ status }) => status === 'made');
  const claims = made.map(({ cents, heldUntil }) => ({ cents: cents ?? 0, until: heldUntil }));
  if (refund === null) return claims;
  const failed = sumOf(refunds.filter(({ status }) => status === 'failed'));
  const rest = Math.max(0, refund.cents - failed - sumOf(made));
  return [...claims, { cents: rest, until: holdEnd(refund.createdAt) }];
}

function centsOf(claims: readonly Claim[]): number {
  return claims.reduce((sum, { cents }) => sum + cents, 0);
}

function latestFirst(claims: readonly Claim[]): Claim[] {
  return [...claims].sort((one, other) => other.until - one.until);
}
