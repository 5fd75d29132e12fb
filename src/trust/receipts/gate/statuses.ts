import type { Snapshot } from '../../../platform/store/transaction.ts';
import { timestampOrNull } from '../../../platform/time/timestamp.ts';
import { DOMAINS, type Domain } from '../../../proof/receipt/receipt.ts';
import { stakeCents } from '../../ledger/balances.ts';
import { factsOf, type GateContext, type GateOperator, gateRows } from './facts.ts';
import { type GateRows, receiptIdsOf } from './store.ts';
import { abandonedShare, forecast, gateVerdict, weigh } from './verdict.ts';

/** The most receipts of each kind that a status names. */
const NAMED = 20;

/**
 * Returns an operator's gate status in each domain: `verify` as the public check sees it, without blind
 * receipts, and `issue` as issuing sees it, with them.
 */
export async function gateStatuses(snapshot: Snapshot, context: GateContext, operator: GateOperator) {
  const { policy, clock } = context;
  const now = clock.now();
  const { operatorSeq } = operator;
  const stake = await stakeCents(snapshot, operatorSeq);
  const statusOf = async (rows: GateRows, domain: Domain) => {
    const facts = factsOf(policy, operator, stake, domain, rows);
    const { breachesUntilDenied, deniesAt, liftsAt } = forecast(facts, now, policy.rules);
    const { pardonedAt } = facts;
    const { receipts, breaches } = weigh({ newest: rows.newest, pardonedAt }, now, policy.rules);
    return {
      reason: gateVerdict(facts, now, policy.rules),
      receipts: receipts.length,
      breaches: breaches.length,
      breach_receipts: await idsOf(snapshot, breaches),
      breaches_until_denied: breachesUntilDenied,
      abandoned: abandonedShare(facts, now, policy.rules),
      abandoned_receipts: await idsOf(snapshot, rows.abandoned),
      denies_at: textOf(deniesAt),
      lifts_at: textOf(liftsAt),
    };
  };
  const statuses = [];
  for (const domain of DOMAINS) {
    const of = { operatorSeq, domain };
    statuses.push({
      domain,
      verify: await statusOf(await gateRows(snapshot, context, of, [false]), domain),
      issue: await statusOf(await gateRows(snapshot, context, of, [false, true]), domain),
    });
  }
  return statuses;
}

/** Returns the ids of up to NAMED receipts, those first that came first into `rows`. */
async function idsOf(snapshot: Snapshot, rows: readonly { receiptSeq: number }[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const receiptSeqs = rows.slice(0, NAMED).map(({ receiptSeq }) => receiptSeq);
  return receiptIdsOf(snapshot, JSON.stringify(receiptSeqs));
}

function textOf(time: number | null): string | null {
  return timestampOrNull(time);
}
