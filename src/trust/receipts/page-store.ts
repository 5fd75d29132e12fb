import { and, asc, desc, eq, gt, gte, inArray, lt, lte, sql } from 'drizzle-orm';
import { receipt } from '../../../db/trust/receipts.ts';
import { bound } from '../../platform/store/columns.ts';
import { type Snapshot, statements } from '../../platform/store/transaction.ts';
import { DOMAINS, type Domain, RECEIPT_STATUSES, type ReceiptStatus } from '../../proof/receipt/receipt.ts';
import { type Orm, type ReceiptState, selectReceiptState } from './store.ts';

const $ = sql.placeholder;

const query = statements((orm) => ({
  /** The row after `after` and `skipped` more rows; none if the table ends before. */
  rangeEnd: () =>
    orm
      .select({ receiptSeq: receipt.receiptSeq })
      .from(receipt)
      .where(gt(receipt.receiptSeq, bound(receipt.receiptSeq, 'after')))
      .orderBy(asc(receipt.receiptSeq))
      .limit(1)
      .offset($('skipped'))
      .prepare(),
  /** The receipts of all operators in a range of the table, oldest first. */
  range: () =>
    selectReceiptState(orm)
      .where(
        and(
          gt(receipt.receiptSeq, bound(receipt.receiptSeq, 'after')),
          lte(receipt.receiptSeq, bound(receipt.receiptSeq, 'reach')),
          gte(receipt.issuedAt, bound(receipt.issuedAt, 'from')),
          lt(receipt.issuedAt, bound(receipt.issuedAt, 'to')),
        ),
      )
      .orderBy(asc(receipt.receiptSeq))
      .prepare(),
  page: () => pageStatements(orm),
}));

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

/**
 * Prepares the statements of pages, one for each shape. The rows of a filter are one range of an index for
 * each status and domain, newest last. With an agent there are two, for blind and other receipts. SQLite
 * merges the ranges from their ends and reads only what the page needs, so the number of receipts does not
 * change what a page costs.
 */
function pageStatements(orm: Orm) {
  const prepared = new Map<string, ReturnType<typeof preparePage>>();
  return (shape: StatementShape) => {
    const key = `${shape.byAgent} ${shape.statuses} ${shape.domains}`;
    const statement = prepared.get(key) ?? preparePage(orm, shape);
    prepared.set(key, statement);
    return statement;
  };
}

function preparePage(orm: Orm, { byAgent, statuses, domains }: StatementShape) {
  const range = (status: number, domain: number, blind: number) => {
    const condition = and(
      eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
      byAgent === 'no' ? undefined : eq(receipt.agentId, bound(receipt.agentId, 'agentId')),
      statuses > 0 ? eq(receipt.status, bound(receipt.status, `status${status}`)) : undefined,
      domains > 0 ? eq(receipt.domain, bound(receipt.domain, `domain${domain}`)) : undefined,
      byAgent === 'no'
        ? undefined
        : sql`(${receipt.domainCommitment} IS NOT NULL) = ${sql.raw(String(blind))}`,
      sql`${receipt.issuedAt} >= ${$('from')}`,
      sql`(${receipt.issuedAt}, ${receipt.receiptSeq}) < (${$('beforeTime')}, ${$('beforeSeq')})`,
    );
    return sql`SELECT ${receipt.issuedAt}, ${receipt.receiptSeq} FROM ${receipt} WHERE ${condition}`;
  };
  const upTo = (count: number): number[] => Array.from({ length: Math.max(count, 1) }, (_, index) => index);
  const ranges = upTo(statuses).flatMap((status) =>
    upTo(domains).flatMap((domain) =>
      upTo(byAgent === 'all' ? 2 : 1).map((blind) => range(status, domain, blind)),
    ),
  );
  const newest = sql`${sql.join(ranges, sql` UNION ALL `)} ORDER BY 1 DESC, 2 DESC LIMIT +${$('limit')}`;
  return selectReceiptState(orm)
    .where(inArray(receipt.receiptSeq, sql`(SELECT receipt_seq FROM (${newest}))`))
    .orderBy(desc(receipt.issuedAt), desc(receipt.receiptSeq))
    .prepare();
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
  return query(snapshot, (sql) =>
    sql.page({ byAgent, statuses: statuses.length, domains: domains.length }).all({
      operatorSeq,
      agentId,
      ...Object.fromEntries(statuses.map((status, index) => [`status${index}`, status])),
      ...Object.fromEntries(domains.map((domain, index) => [`domain${index}`, domain])),
      from: page.from ?? NO_LOWER,
      beforeTime: before.issuedAt,
      beforeSeq: before.receiptSeq,
      limit,
    }),
  );
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
export function receiptsAfter(
  snapshot: Snapshot,
  { after, last }: { after: number; last: number },
  { from = NO_LOWER, to = NO_UPPER.issuedAt }: { from?: string | undefined; to?: string | undefined },
  most: number,
): Promise<ReceiptRange> {
  return query(snapshot, (sql) => {
    const reach = Math.min(sql.rangeEnd.get({ after, skipped: most - 1 })?.receiptSeq ?? last, last);
    return { rows: sql.range.all({ after, reach, from, to }), reach };
  });
}
