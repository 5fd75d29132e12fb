import { gateOutcome } from '../../../../db/trust/gate.ts';
import { receipt, receiptLeaf, receiptVersion } from '../../../../db/trust/receipts.ts';
import type { Connection } from '../../../platform/store/connection.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';
import { DOMAINS, type Domain } from '../../../proof/receipt/receipt.ts';
import type { Finalization } from './verdict.ts';

const sql = sqlOf({ gateOutcome, receipt, receiptLeaf, receiptVersion });

const OF_DOMAIN = sql.part`operator_seq = ${'operatorSeq'} AND domain = ${'domain'} AND blind = ${'blind'}`;

/** The newest `limit` finalized receipts of an operator in a domain, either blind or open ones. */
const newest = sql.joined({
  countedAt: gateOutcome.countedAt,
  breach: gateOutcome.breach,
  receiptSeq: gateOutcome.receiptSeq,
}).rows`
  FROM gate_outcome WHERE ${OF_DOMAIN} AND abandoned = 0
  ORDER BY counted_at DESC, receipt_seq DESC LIMIT ${'limit'}`;

/** The newest `limit` receipts that were revoked while pending after a time. */
const revokedPending = sql.joined({ at: gateOutcome.countedAt, receiptSeq: gateOutcome.receiptSeq }).rows`
  FROM gate_outcome WHERE ${OF_DOMAIN} AND abandoned = 1 AND counted_at > ${'since:countedAt'}
  ORDER BY counted_at DESC LIMIT ${'limit'}`;

/**
 * The newest `limit` receipts that are pending, and lapsed within a time. A restored database may lack a
 * finalization that its log has.
 */
const lapsed = sql.joined({ at: sql.number`lapses_at`, receiptSeq: receipt.receiptSeq }).rows`
  FROM receipt INDEXED BY receipt_lapsing
  WHERE status = 'pending' AND revocation_status = 'active' AND operator_seq = ${'operatorSeq'}
    AND domain = ${'domain'} AND (domain_commitment IS NOT NULL) = ${'blind:gateOutcome.blind'}
    AND lapses_at > ${'since:number'} AND lapses_at <= ${'now:number'}
    AND NOT EXISTS (SELECT 1 FROM receipt_leaf WHERE receipt_leaf.receipt_seq = receipt.receipt_seq)
  ORDER BY lapses_at DESC LIMIT ${'limit'}`;

/** A receipt as the gate counts it. */
export interface GateReceipt {
  operatorSeq: number;
  receiptSeq: number;
  domain: Domain;
  blind: boolean;
  /** Since when it counts, in milliseconds since 1970. */
  countedAt: number;
}

/** A time, in milliseconds since 1970, and the receipt of it. */
export interface Counted {
  at: number;
  receiptSeq: number;
}

/** What the gate weighs of an operator. */
export interface GateRows {
  newest: (Counted & Finalization)[];
  abandoned: Counted[];
}

/** Selects the newest `limit` rows of each form. */
export interface GateQuery {
  operatorSeq: number;
  domain: Domain;
  limit: number;
}

/**
 * Returns an operator's newest finalized receipts in a domain.
 * @param forms true for blind receipts, false for open ones, or both
 */
export function newestFinalizations(
  snapshot: Snapshot,
  values: GateQuery,
  forms: readonly boolean[],
): Promise<GateRows['newest']> {
  return runQuery(snapshot, (connection) => forms.flatMap((blind) => newestOn(connection, values, blind)));
}

const newestOn = (connection: Connection, values: GateQuery, blind: boolean): GateRows['newest'] =>
  newest
    .on(connection, { ...values, blind })
    .map(({ countedAt: at, breach, receiptSeq }) => ({ at, breach, receiptSeq }));

/**
 * Returns an operator's newest receipts in a domain that were abandoned after `since` and up to `now`
 * (milliseconds since 1970): revoked while pending, or pending for 30 days or past their expiry.
 * @param forms true for blind receipts, false for open ones, or both
 */
export function newestAbandoned(
  snapshot: Snapshot,
  values: GateQuery & { since: number; now: number },
  forms: readonly boolean[],
): Promise<Counted[]> {
  return runQuery(snapshot, (connection) =>
    forms
      .flatMap((blind) => {
        const query = { ...values, blind };
        return [...revokedPending.on(connection, query), ...lapsed.on(connection, query)];
      })
      .toSorted((one, other) => other.at - one.at),
  );
}

/** Returns an operator's newest `limit` blind finalized receipts of all domains. */
export function newestBlind(
  snapshot: Snapshot,
  operatorSeq: number,
  limit: number,
): Promise<GateRows['newest']> {
  return runQuery(snapshot, (connection) =>
    DOMAINS.flatMap((domain) => newestOn(connection, { operatorSeq, domain, limit }, true))
      .toSorted((one, other) => other.at - one.at)
      .slice(0, limit),
  );
}

/** Counts a finalized receipt. `breach` is whether it is an SLA breach. */
export const insertFinalization = sql.insert(gateOutcome, { fixed: { abandoned: false } });

/**
 * Counts a receipt as abandoned whose second version revoked it while it was pending, unless the log has a
 * finalization that the database lost.
 */
export const insertAbandoned = sql.run`
  INSERT INTO gate_outcome (operator_seq, domain, blind, abandoned, counted_at, receipt_seq, breach)
  SELECT operator_seq, domain, domain_commitment IS NOT NULL, 1,
    min(lapses_at, (SELECT CAST(round(unixepoch(signed_at, 'subsec') * 1000) AS INTEGER)
      FROM receipt_version AS v WHERE v.receipt_seq = receipt.receipt_seq AND v.version = receipt.version)),
    receipt_seq, 0
  FROM receipt WHERE receipt_seq = ${'receiptSeq'}
    AND NOT EXISTS (SELECT 1 FROM receipt_leaf WHERE receipt_leaf.receipt_seq = receipt.receipt_seq)`;

/** Takes a finalized receipt out of the counts. */
export const removeFinalization = sql.run`
  DELETE FROM gate_outcome
  WHERE ${OF_DOMAIN} AND abandoned = 0 AND counted_at = ${'countedAt'} AND receipt_seq = ${'receiptSeq'}`;

/** Returns the ids of receipts by their numbers, as a JSON array. */
export const receiptIdsOf = sql.values(receipt.receiptId)`
  WHERE receipt_seq IN (SELECT value FROM json_each(${'receiptSeqs:text'})) ORDER BY receipt_seq DESC`;
