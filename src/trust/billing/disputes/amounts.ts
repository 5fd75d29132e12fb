import type { Asset } from '../../ledger/accounts.ts';
import type { Tier } from '../../ledger/lots/hold-plan.ts';
import { refundedPart } from '../booking.ts';
import type { PaymentRow } from '../payment-store.ts';
import type { ReportRow } from '../report-store.ts';

/** What is left of a payment, as its reports say. */
type Reported = Pick<ReportRow, 'kind' | 'cents' | 'status' | 'statusAt' | 'money' | 'heldUntil'>;

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

/** Returns how much of a payment the payer has back, from all reports about it: see `goneOf`. */
export function goneCents(usdCents: number, charged: number, reports: readonly Reported[]): number {
  const refunds = reports.filter(({ kind }) => kind === 'refund');
  return goneOf({
    usdCents,
    charged,
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

/**
 * Returns which credits of a payment are held, and until when: those that are disputed or warned of and not
 * decided, and those that a lost dispute took and that the operator owes.
 * @param gone what `goneCents` returns @param owed what the operator owes of this asset
 * @param now milliseconds since 1970
 */
export function heldTiers(
  payment: PaymentRow,
  asset: Asset,
  reports: readonly Reported[],
  { gone, owed, now }: { gone: number; owed: number; now: number },
): Tier[] {
  const { usdCents } = payment;
  const creditsOf = (cents: number): number => {
    const part = refundedPart(payment, Math.min(usdCents, cents));
    return asset === 'promotional' ? part.promotional : part.amount;
  };
  const centsOf = ({ cents }: Reported): number => Math.min(usdCents, cents ?? usdCents);
  // A decision about a dispute is one about the warnings before it.
  const decidedAt = Math.max(
    0,
    ...reports.map(({ status, statusAt }) => (status === 'released' ? statusAt : 0)),
  );
  const holding = reports.filter(
    ({ kind, status, statusAt, heldUntil }) =>
      status !== 'released' && heldUntil > now && !(kind === 'warning' && statusAt <= decidedAt),
  );
  const [taken, open] = [
    holding.filter(({ money }) => money === 'gone'),
    holding.filter(({ money }) => money !== 'gone'),
  ];
  const before = Math.max(0, gone - lostCents(usdCents, taken));
  let collected = Math.max(0, creditsOf(gone) - creditsOf(before) - owed);
  let cents = before;
  const tiers: Tier[] = [];
  for (const report of [...latestFirst(taken), ...latestFirst(open)]) {
    const next = Math.min(usdCents, cents + centsOf(report));
    const disputed = creditsOf(next) - creditsOf(cents);
    const there = Math.min(disputed, collected);
    collected -= there;
    cents = next;
    if (disputed > there) tiers.push({ amount: disputed - there, until: report.heldUntil });
  }
  return tiers.sort((one, other) => other.until - one.until);
}

function latestFirst(reports: readonly Reported[]): Reported[] {
  return [...reports].sort((one, other) => other.heldUntil - one.heldUntil);
}
