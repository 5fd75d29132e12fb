import { gateFinalization } from '../../../../db/trust/gate.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';
import { DOMAINS, type Domain } from '../../../proof/receipt/receipt.ts';
import type { Finalization } from './verdict.ts';

const sql = sqlOf({ gateFinalization });

const OF_DOMAIN = sql.part`operator_seq = ${'operatorSeq'} AND domain = ${'domain'} AND blind = ${'blind'}`;

/** The newest `limit` finalizations of an operator in a domain, either blind or open ones. */
const newest = sql.joined({ finalizedAt: gateFinalization.finalizedAt, breach: gateFinalization.breach })
  .rows`
  FROM gate_finalization WHERE ${OF_DOMAIN} ORDER BY finalized_at DESC, receipt_seq DESC LIMIT ${'limit'}`;

/** A receipt as the gate counts it. */
export interface GateReceipt {
  operatorSeq: number;
  receiptSeq: number;
  domain: Domain;
  blind: boolean;
  /** The time when the finalized version was signed, in milliseconds since 1970. */
  finalizedAt: number;
}

/** Selects the newest `limit` finalizations of each form, blind and open. */
export interface FinalizationQuery {
  operatorSeq: number;
  limit: number;
}

/**
 * Returns an operator's newest finalizations in a domain.
 * @param forms true for blind receipts, false for open ones, or both
 */
export function newestFinalizations(
  snapshot: Snapshot,
  values: FinalizationQuery & { domain: Domain },
  forms: readonly boolean[],
): Promise<Finalization[]> {
  return runQuery(snapshot, (connection) =>
    forms.flatMap((blind) => newest.on(connection, { ...values, blind }).map(finalization)),
  );
}

/** Returns an operator's newest finalizations in every domain, open and blind. */
export function newestOfEachDomain(
  snapshot: Snapshot,
  values: FinalizationQuery,
): Promise<{ domain: Domain; open: Finalization[]; blind: Finalization[] }[]> {
  return runQuery(snapshot, (connection) => {
    const of = (domain: Domain, blind: boolean) =>
      newest.on(connection, { ...values, domain, blind }).map(finalization);
    return DOMAINS.map((domain) => ({ domain, open: of(domain, false), blind: of(domain, true) }));
  });
}

/** Adds a finalized receipt. `breach` is whether it is an SLA breach. */
export const insertFinalization = sql.insert(gateFinalization);

/** Removes a finalized receipt. */
export const removeFinalization = sql.run`
  DELETE FROM gate_finalization
  WHERE ${OF_DOMAIN} AND finalized_at = ${'finalizedAt'} AND receipt_seq = ${'receiptSeq'}`;

function finalization({ finalizedAt, breach }: { finalizedAt: number; breach: boolean }): Finalization {
  return [finalizedAt, breach ? 1 : 0];
}
