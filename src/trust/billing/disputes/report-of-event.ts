import { holdEnd } from '../../ledger/lots/maturity.ts';
import { idOf, type Members, recordOf, text, timeOf, whole } from '../event-members.ts';
import type { Report, ReportedFact } from './report.ts';

/** What the types of Stripe's package call `Dispute.Status`, as far as it ends a dispute without a loss. */
const RELEASED: ReadonlySet<string> = new Set(['won', 'warning_closed', 'prevented']);

/**
 * Returns what an event reports about a payment: a dispute or a warning of fraud, a refund, or that a
 * stablecoin paid it. Its object is a Dispute, Radar.EarlyFraudWarning, Refund or Charge of Stripe's API.
 * @param created when the event was made, in seconds since 1970
 * @returns null for an event without effect, such as one that names no payment intent
 */
export function reportOf(type: string, object: Members, created: number): ReportedFact | null {
  const [id, charge] = [idOf(object.id), idOf(object.charge)];
  const [at, paymentIntent] = [timeOf(created), idOf(object.payment_intent)];
  if (id === null || at === null || paymentIntent === null) return null;
  const made = { reportId: id, paymentIntent, cents: null, moneyAt: 0, money: 'none', heldUntil: 0 } as const;
  const heldUntil = holdEnd(timeOf(object.created) ?? at);
  switch (type) {
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed': {
      if (charge === null) return null;
      const money = moneyOf(type, text(object.status));
      return reported({
        ...made,
        kind: 'dispute',
        chargeId: charge,
        cents: centsOf(object),
        status: statusOf(type, text(object.status)),
        statusAt: at,
        money,
        moneyAt: money === 'none' ? 0 : at,
        heldUntil,
      });
    }
    case 'radar.early_fraud_warning.created':
      return charge === null
        ? null
        : reported({ ...made, kind: 'warning', chargeId: charge, status: 'open', statusAt: at, heldUntil });
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const cents = centsOf(object);
      const state = text(object.status);
      const isFailed = type === 'refund.failed' || state === 'failed' || state === 'canceled';
      if (charge === null || cents === null) return null;
      // A refund that failed stays so, whatever the times of events are.
      const status = isFailed ? 'failed' : 'made';
      return reported({ ...made, kind: 'refund', chargeId: charge, cents, status, statusAt: 0, heldUntil });
    }
    case 'charge.succeeded':
      return text(recordOf(object.payment_method_details).type) === 'crypto'
        ? reported({ ...made, kind: 'stablecoin', chargeId: id, status: 'made', statusAt: 0 })
        : null;
    default:
      return null;
  }
}

function reported(report: Report): ReportedFact {
  return { kind: 'reported', report };
}

function statusOf(type: string, status: string | null): 'open' | 'lost' | 'released' {
  if (type === 'charge.dispute.funds_reinstated') return 'released';
  if (status === 'lost') return 'lost';
  return status !== null && RELEASED.has(status) ? 'released' : 'open';
}

/** Whether the event says that the disputed money is gone, or back. An inquiry (`warning_…`) takes none. */
function moneyOf(type: string, status: string | null): Report['money'] {
  if (type === 'charge.dispute.funds_reinstated' || status === 'won') return 'back';
  return type === 'charge.dispute.funds_withdrawn' || status === 'lost' ? 'gone' : 'none';
}

/** The amount in US cents; null for another currency. Then a dispute is about the whole payment. */
function centsOf(object: Members): number | null {
  const amount = whole(object.amount);
  return amount === null || amount < 0 || text(object.currency)?.toLowerCase() !== 'usd' ? null : amount;
}
