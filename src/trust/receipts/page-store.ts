import { receipt } from '../../../db/trust/receipts.ts';
import { sqlOf } from '../../platform/store/sql.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { DOMAINS, type Domain, RECEIPT_STATUSES, type ReceiptStatus } from '../../proof/receipt/receipt.ts';
import { CURRENT, type ReceiptState, receiptStates } from './store.ts';

const sql = sqlOf({ receipt });

/** The number of the row after `after` and `skipped` more rows; null if the table ends before. */
const rangeEnd = sql.value(receipt.receiptSeq)`
  WHERE receipt_seq > ${'after:receiptSeq'} ORDER BY receipt_seq LIMIT 1 OFFSET ${'skipped:number'}`;

/** The receipts of all operators in a range of the table, oldest first. */
const range = receiptStates.rows`${CURRENT}
  WHERE receipt.receipt_seq > ${'after:receiptSeq'} AND receipt.receipt_seq <= ${'reach:receiptSeq'}
    AND issued_at >= ${'from:issuedAt'} AND issued_at < ${'to:issuedAt'} ORDER BY receipt.receipt_seq`;

export interface PageFilter {
  operatorSeq: number;
  domain?: Domain | undefined;
  statuses?: readonly ReceiptStatus[] | undefined;
  agentId?: string | undefined;
  /** Excludes blind receipts; only with `agentId`. */
  withoutBlind?: boolean | undefined;
  /** Inclusive and exclusive, in the stored form of issued_at. */
  from?: string | undefined;
  to?: string | undefined;
  /** The last row of the page before. */
  after?: { issuedAt: string; receiptSeq: number } | undefined;
  limit: number;
}

/** The properties that determine the statement of a page: which filters it has, not their values. */
interface StatementShape {
  /** `open`: only the agent's receipts that are not blind. */
  byAgent: 'no' | 'all' | 'open';
  statuses: number;
  domains: number;
}

/** Before and after every issued_at and receipt_seq. */
const NO_LOWER = '';
const NO_UPPER = { issuedAt: '~', receiptSeq: 0 };

const pages = new Map<string, ReturnType<typeof pageOf>>();

/** Returns the statement of pages of a shape. */
function pageOfShape(shape: StatementShape) {
  const key = `${shape.byAgent} ${shape.statuses} ${shape.domains}`;
  const page = pages.get(key) ?? pageOf(shape);
  pages.set(key, page);
  return page;
}

/**
 * Returns the statement of pages of a shape. The rows of a filter are one range of an index for each status
 * and domain, newest last. With an agent there are two, for blind and other receipts. SQLite merges the
 * ranges from their ends and reads only what the page needs, so the number of receipts does not change what
 * a page costs.
 */
function pageOf({ byAgent, statuses, domains }: StatementShape) {
  const none = sql.verbatim('');
  const agent = byAgent === 'no' ? none : sql.part`AND agent_id = ${'agentId'}`;
  const rangeOf = (status: number, domain: number, blind: number) => sql.part`
    SELECT issued_at, receipt_seq FROM receipt WHERE operator_seq = ${'operatorSeq'} ${agent}
      ${statuses === 0 ? none : sql.part`AND status = ${`status${status}:status`}`}
      ${domains === 0 ? none : sql.part`AND domain = ${`domain${domain}:domain`}`}
      ${byAgent === 'no' ? none : sql.verbatim(`AND (domain_commitment IS NOT NULL) = ${blind}`)}
      AND issued_at >= ${'from:issuedAt'}
      AND (issued_at, receipt_seq) < (${'beforeTime:issuedAt'}, ${'beforeSeq:receiptSeq'})`;
  const upTo = (count: number): number[] => Array.from({ length: Math.max(count, 1) }, (_, index) => index);
  const ranges = upTo(statuses).flatMap((status) =>
    upTo(domains).flatMap((domain) =>
      upTo(byAgent === 'all' ? 2 : 1).map((blind) => rangeOf(status, domain, blind)),
    ),
  );
  return receiptStates.rows`${CURRENT} WHERE receipt.receipt_seq IN (
      SELECT receipt_seq FROM (${sql.join(ranges, ' UNION ALL ')} ORDER BY 1 DESC, 2 DESC LIMIT ${'limit'})
    ) ORDER BY issued_at DESC, receipt.receipt_seq DESC`;
}

/**
 * Returns a page of receipts, newest first. Its position is a key and no offset, so new rows do not shift it.
 */
export function selectPage(snapshot: Snapshot, page: PageFilter): Promise<ReceiptState[]> {
  const { operatorSeq, agentId, withoutBlind = false, limit } = page;
  const byAgent = agentId === undefined ? 'no' : withoutBlind ? 'open' : 'all';
  const filtered = agentId !== undefined || page.statuses !== undefined || page.domain !== undefined;
  const statuses = page.statuses ?? (filtered ? RECEIPT_STATUSES : []);
  const domains = page.domain !== undefined ? [page.domain] : filtered ? DOMAINS : [];
  const to = page.to === undefined ? NO_UPPER : { issuedAt: page.to, receiptSeq: 0 };
  const before = page.after !== undefined && page.after.issuedAt < to.issuedAt ? page.after : to;
  return pageOfShape({ byAgent, statuses: statuses.length, domains: domains.length })(snapshot, {
    operatorSeq,
    agentId: agentId ?? '',
    ...Object.fromEntries(statuses.map((status, index) => [`status${index}`, status])),
    ...Object.fromEntries(domains.map((domain, index) => [`domain${index}`, domain])),
    from: page.from ?? NO_LOWER,
    beforeTime: before.issuedAt,
    beforeSeq: before.receiptSeq,
    limit,
  });
}

/** A range of receipts of all operators, oldest first. */
export interface ReceiptRange {
  rows: ReceiptState[];
  /** The number of the last receipt that was read. */
  reach: number;
}

/**
 * Reads at most `most` receipts after number `after` and up to number `last`. Returns those with issued_at
 * from `from`, inclusive, to `to`, exclusive, in the stored form. The read is short even if few rows match.
 */
export async function receiptsAfter(
  snapshot: Snapshot,
  { after, last }: { after: number; last: number },
  { from = NO_LOWER, to = NO_UPPER.issuedAt }: { from?: string | undefined; to?: string | undefined },
  most: number,
): Promise<ReceiptRange> {
  const reach = Math.min((await rangeEnd(snapshot, { after, skipped: most - 1 })) ?? last, last);
  return { rows: await range(snapshot, { after, reach, from, to }), reach };
}
