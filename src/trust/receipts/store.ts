import { and, asc, desc, eq, gt, gte, inArray, lt, lte, type SQL, sql, sum } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { signingKey } from '../../../db/trust/keys.ts';
import { operator } from '../../../db/trust/operators.ts';
import {
  receipt,
  receiptCount,
  receiptLeaf,
  receiptVersion,
  revocationLeaf,
} from '../../../db/trust/receipts.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { syncStatements } from '../../platform/store/transaction.ts';
import { isReceiptId } from '../../proof/encoding/receipt-id.ts';
import { DOMAINS, type Domain, RECEIPT_STATUSES, type ReceiptStatus } from '../../proof/receipt/receipt.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** As words of the statement: drizzle would make parameters of them, for which SQLite prepares it anew each time. */
const PENDING = sql`${receipt.status} = 'pending'`;
const ACTIVE = sql`${receipt.revocationStatus} = 'active'`;

/** A receipt as it stands, with the version that is current. */
const standing = (orm: Orm) => signed(orm, eq(receiptVersion.version, receipt.version));

/** A receipt, once for each of its versions that fits. */
const signed = (orm: Orm, fits: SQL | undefined) =>
  orm
    .select({
      receipt,
      operatorId: operator.operatorId,
      current: receiptVersion,
      kid: signingKey.kid,
    })
    .from(receipt)
    .innerJoin(receiptVersion, and(eq(receiptVersion.receiptSeq, receipt.receiptSeq), fits))
    .innerJoin(operator, eq(operator.operatorSeq, receipt.operatorSeq))
    .innerJoin(signingKey, eq(signingKey.keySeq, receiptVersion.keySeq))
    .$dynamic();

/** The numbers of the windows that receipt_version_by_hash is divided into, counted down from the newest. */
const WINDOWS = sql`(
  WITH RECURSIVE counted (number) AS (
    SELECT max(receipt_seq) >> 12 FROM receipt UNION ALL SELECT number - 1 FROM counted WHERE number > 0
  )
  SELECT number FROM counted
) AS hash_window`;

const successor = alias(receipt, 'successor');

/** The SQL of receipts and their signed versions. */
export const receiptSql = syncStatements((orm) => ({
  leaves: () => ({ receipts: leavesOf(orm, receiptLeaf), revocations: leavesOf(orm, revocationLeaf) }),
  byId: () =>
    standing(orm)
      .where(eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')))
      .prepare(),
  own: () =>
    standing(orm)
      .where(
        and(
          eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')),
          eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
        ),
      )
      .prepare(),
  ownVersions: () =>
    signed(orm, undefined)
      .where(
        and(
          eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')),
          eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
        ),
      )
      .orderBy(desc(receiptVersion.version))
      .prepare(),
  insert: () =>
    orm
      .insert(receipt)
      .values(
        everyColumn(receipt, ['receiptSeq'], { status: 'pending', revocationStatus: 'active', version: 1 }),
      )
      .returning({ receiptSeq: receipt.receiptSeq })
      .prepare(),
  insertVersion: () => orm.insert(receiptVersion).values(everyColumn(receiptVersion)).prepare(),
  /** The conditional updates: of two that race, one finds a row. */
  finalize: () =>
    orm
      .update(receipt)
      .set({ status: sql`${$('status')}`, version: sql`${receipt.version} + 1` })
      .where(
        and(
          eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')),
          eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
          PENDING,
          ACTIVE,
        ),
      )
      .returning()
      .prepare(),
  revoke: () =>
    orm
      .update(receipt)
      .set({ revocationStatus: 'revoked', version: sql`${receipt.version} + 1` })
      .where(and(eq(receipt.receiptSeq, bound(receipt.receiptSeq, 'receiptSeq')), ACTIVE))
      .returning({ version: receipt.version })
      .prepare(),
  /** The operator's receipt of which some version has this content hash. */
  byContentHash: () =>
    orm
      .select({ receiptSeq: receipt.receiptSeq, chainDepth: receipt.chainDepth })
      .from(WINDOWS)
      // CROSS JOIN keeps SQLite to this order: windows, newest first, and in each the few versions with this prefix.
      .crossJoin(receiptVersion)
      .crossJoin(receipt)
      .where(
        // A LIMIT of drizzle's is a parameter, and preparing anew for it would take longer than most look-ups.
        sql`${and(
          eq(sql`${receiptVersion.receiptSeq} >> 12`, sql`hash_window.number`),
          eq(receiptVersion.hashPrefix, bound(receiptVersion.hashPrefix, 'hashPrefix')),
          eq(receiptVersion.contentHash, bound(receiptVersion.contentHash, 'contentHash')),
          eq(receipt.receiptSeq, receiptVersion.receiptSeq),
          eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
        )} LIMIT 1`,
      )
      .prepare(),
  countByState: () =>
    orm
      .select({
        status: receiptCount.status,
        revocationStatus: receiptCount.revocationStatus,
        receipts: sum(receiptCount.receipts).mapWith(Number),
      })
      .from(receiptCount)
      .groupBy(receiptCount.status, receiptCount.revocationStatus)
      .prepare(),
  successors: () =>
    orm
      .select({ receiptId: successor.receiptId })
      .from(successor)
      .where(eq(successor.prevReceiptSeq, bound(successor.prevReceiptSeq, 'receiptSeq')))
      .orderBy(asc(successor.receiptSeq))
      .limit(20)
      .prepare(),
  newest: () =>
    orm
      .select({ receiptSeq: receipt.receiptSeq, issuedAt: receipt.issuedAt })
      .from(receipt)
      .orderBy(desc(receipt.receiptSeq))
      .limit(1)
      .prepare(),
  /** The last row of a stretch that begins behind `after` and skips so many; none where the table ends before. */
  reach: () =>
    orm
      .select({ receiptSeq: receipt.receiptSeq })
      .from(receipt)
      .where(gt(receipt.receiptSeq, bound(receipt.receiptSeq, 'after')))
      .orderBy(asc(receipt.receiptSeq))
      .limit(1)
      .offset($('skipped'))
      .prepare(),
  /** The receipts of all operators in a stretch of the table, oldest first. */
  stretch: () =>
    standing(orm)
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
  page: () => pagesOf(orm),
}));

export interface Page {
  operatorSeq: number;
  domain?: Domain | undefined;
  statuses?: readonly ReceiptStatus[] | undefined;
  agentId?: string | undefined;
  /** Leaves blind receipts out; only where `agentId` is given. */
  withoutBlind?: boolean | undefined;
  /** Inclusive and exclusive, in the form that issued_at is stored in. */
  from?: string | undefined;
  to?: string | undefined;
  /** The last row of the page before. */
  after?: { issuedAt: string; receiptSeq: number } | undefined;
  rows: number;
}

/** Which statement a page needs: what it is filtered by, not the values. */
interface Shape {
  /** `open`: only the agent's receipts that are not blind. */
  byAgent: 'no' | 'all' | 'open';
  statuses: number;
  domains: number;
}

/** Before and after every issued_at and receipt_seq. */
const NO_LOWER = '';
const NO_UPPER = { issuedAt: '~', receiptSeq: 0 };

/**
 * Makes the statements of pages, each once for its shape. The rows that a filter matches lie in one range of an index
 * for each status and domain, of an agent also for blind receipts and for others, newest last; SQLite merges the ranges from their ends and reads of each only what the page
 * needs. So a page costs the same however many receipts there are, and however few of them it matches.
 */
function pagesOf(orm: Orm) {
  const prepared = new Map<string, ReturnType<typeof preparePage>>();
  return (shape: Shape) => {
    const key = `${shape.byAgent} ${shape.statuses} ${shape.domains}`;
    const statement = prepared.get(key) ?? preparePage(orm, shape);
    prepared.set(key, statement);
    return statement;
  };
}

function preparePage(orm: Orm, { byAgent, statuses, domains }: Shape) {
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
  const newest = sql`${sql.join(ranges, sql` UNION ALL `)} ORDER BY 1 DESC, 2 DESC LIMIT +${$('rows')}`;
  return standing(orm)
    .where(inArray(receipt.receiptSeq, sql`(SELECT receipt_seq FROM (${newest}))`))
    .orderBy(desc(receipt.issuedAt), desc(receipt.receiptSeq))
    .prepare();
}

/** A page of receipts, newest first; its place is a key, not an offset, so rows that are added move nothing. */
export function selectPage(snapshot: Snapshot, page: Page): Standing[] {
  const { operatorSeq, agentId, withoutBlind = false, rows } = page;
  const byAgent = agentId === undefined ? 'no' : withoutBlind ? 'open' : 'all';
  const filtered = agentId !== undefined || page.statuses !== undefined || page.domain !== undefined;
  const statuses = page.statuses ?? (filtered ? RECEIPT_STATUSES : []);
  const domains = page.domain !== undefined ? [page.domain] : filtered ? DOMAINS : [];
  const to = page.to === undefined ? NO_UPPER : { issuedAt: page.to, receiptSeq: 0 };
  const before = page.after !== undefined && page.after.issuedAt < to.issuedAt ? page.after : to;
  return receiptSql(snapshot)
    .page({ byAgent, statuses: statuses.length, domains: domains.length })
    .all({
      operatorSeq,
      agentId,
      ...Object.fromEntries(statuses.map((status, index) => [`status${index}`, status])),
      ...Object.fromEntries(domains.map((domain, index) => [`domain${index}`, domain])),
      from: page.from ?? NO_LOWER,
      beforeTime: before.issuedAt,
      beforeSeq: before.receiptSeq,
      rows,
    });
}

/** The operator's own receipt, once for each of its signed versions, newest first; none for an id that is none of its. */
export function ownVersions(snapshot: Snapshot, receiptId: string, operatorSeq: number): Standing[] {
  return isReceiptId(receiptId) ? receiptSql(snapshot).ownVersions.all({ receiptId, operatorSeq }) : [];
}

/** A receipt's row with its current version, operator and key. */
export interface Standing {
  receipt: typeof receipt.$inferSelect;
  operatorId: string;
  current: typeof receiptVersion.$inferSelect;
  kid: string;
}

/** Leaves that stand for a signed version of a receipt. */
function leavesOf(orm: Orm, leaf: typeof receiptLeaf | typeof revocationLeaf) {
  const told = () =>
    orm
      .select({
        leafSeq: leaf.leafSeq,
        receiptSeq: leaf.receiptSeq,
        leafHash: leaf.leafHash,
        entry: leaf.entry,
        receiptId: receipt.receiptId,
        contentHash: receiptVersion.contentHash,
        signature: receiptVersion.signature,
        signedAt: receiptVersion.signedAt,
        kid: signingKey.kid,
      })
      .from(leaf)
      .leftJoin(
        receiptVersion,
        and(eq(receiptVersion.receiptSeq, leaf.receiptSeq), eq(receiptVersion.version, leaf.version)),
      )
      .leftJoin(receipt, eq(receipt.receiptSeq, receiptVersion.receiptSeq))
      .leftJoin(signingKey, eq(signingKey.keySeq, receiptVersion.keySeq));
  return {
    insert: orm
      .insert(leaf)
      .values(everyColumn(leaf, ['leafSeq']))
      .returning({ leafSeq: leaf.leafSeq })
      .prepare(),
    ofReceipt: told()
      .where(eq(leaf.receiptSeq, bound(leaf.receiptSeq, 'receiptSeq')))
      .prepare(),
    /** The leaves `from` to `to`, exclusive, by leaf_seq. */
    stretch: told()
      .where(and(gte(leaf.leafSeq, bound(leaf.leafSeq, 'from')), lt(leaf.leafSeq, bound(leaf.leafSeq, 'to'))))
      .orderBy(asc(leaf.leafSeq))
      .prepare(),
  };
}
