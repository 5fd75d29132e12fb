import { and, desc, eq, sql } from 'drizzle-orm';
import { gateFinalization } from '../../../../db/trust/gate.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';
import { DOMAINS, type Domain } from '../../../proof/receipt/receipt.ts';
import type { Finalization } from './verdict.ts';

const $ = sql.placeholder;
const { operatorSeq, domain, blind, finalizedAt, receiptSeq, breach } = gateFinalization;
const OF_DOMAIN = [
  eq(operatorSeq, bound(operatorSeq, 'operatorSeq')),
  eq(domain, bound(domain, 'domain')),
  eq(blind, bound(blind, 'blind')),
];

const query = statements((orm) => ({
  /** The newest `limit` finalizations of an operator in a domain, either blind or open ones. */
  newest: () =>
    orm
      .select({ finalizedAt, breach })
      .from(gateFinalization)
      // Drizzle would bind LIMIT as a parameter, and SQLite would prepare the statement again each time.
      .where(
        sql`${and(...OF_DOMAIN)} ORDER BY ${desc(finalizedAt)}, ${desc(receiptSeq)} LIMIT +${$('limit')}`,
      )
      .prepare(),
  count: () => orm.insert(gateFinalization).values(everyColumn(gateFinalization)).prepare(),
  remove: () =>
    orm
      .delete(gateFinalization)
      .where(
        and(
          ...OF_DOMAIN,
          eq(finalizedAt, bound(finalizedAt, 'finalizedAt')),
          eq(receiptSeq, bound(receiptSeq, 'receiptSeq')),
        ),
      )
      .prepare(),
}));

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
  return query(snapshot, ({ newest }) =>
    forms.flatMap((blind) => newest.all({ ...values, blind }).map(finalization)),
  );
}

/** Returns an operator's newest finalizations in every domain, open and blind. */
export function newestOfEachDomain(
  snapshot: Snapshot,
  values: FinalizationQuery,
): Promise<{ domain: Domain; open: Finalization[]; blind: Finalization[] }[]> {
  return query(snapshot, ({ newest }) => {
    const of = (domain: Domain, blind: boolean) => newest.all({ ...values, domain, blind }).map(finalization);
    return DOMAINS.map((domain) => ({ domain, open: of(domain, false), blind: of(domain, true) }));
  });
}

/** Adds a finalized receipt. @param isBreach whether it is an SLA breach */
export function insertFinalization(tx: Transaction, counted: GateReceipt, isBreach: boolean): Promise<void> {
  return query(tx, ({ count }) => void count.run({ ...counted, breach: isBreach }));
}

/** Removes a finalized receipt. */
export function removeFinalization(tx: Transaction, counted: GateReceipt): Promise<void> {
  return query(tx, ({ remove }) => void remove.run({ ...counted }));
}

function finalization({ finalizedAt, breach }: { finalizedAt: number; breach: boolean }): Finalization {
  return [finalizedAt, breach ? 1 : 0];
}
