import { and, asc, desc, eq, gte, inArray, lt, or, type SQL, sql, sum } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { bound } from '../../../db/columns.ts';
import { signingKey } from '../../../db/trust/keys.ts';
import { operator } from '../../../db/trust/operators.ts';
import { receipt, receiptCount, receiptVersion } from '../../../db/trust/receipts.ts';
import type { Snapshot } from '../../platform/store/transaction.ts';
import { statements } from '../../platform/store/transaction.ts';
import type { Domain, ReceiptStatus } from '../../proof/receipt.ts';

type Orm = Snapshot['connection']['orm'];
const $ = sql.placeholder;

/** A receipt as it stands, with the version that is current. */
const standing = (orm: Orm) =>
  orm
    .select({
      receipt,
      operatorId: operator.operatorId,
      current: receiptVersion,
      kid: signingKey.kid,
    })
    .from(receipt)
    .innerJoin(
      receiptVersion,
      and(eq(receiptVersion.receiptSeq, receipt.receiptSeq), eq(receiptVersion.version, receipt.version)),
    )
    .innerJoin(operator, eq(operator.operatorSeq, receipt.operatorSeq))
    .innerJoin(signingKey, eq(signingKey.keySeq, receiptVersion.keySeq))
    .$dynamic();

const successor = alias(receipt, 'successor');

/** The SQL of receipts and their signed versions. */
export const receiptSql = statements((orm) => ({
  byId: standing(orm)
    .where(eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')))
    .prepare(),
  own: standing(orm)
    .where(
      and(
        eq(receipt.receiptId, bound(receipt.receiptId, 'receiptId')),
        eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
      ),
    )
    .prepare(),
  insert: orm
    .insert(receipt)
    .values({
      receiptId: $('receiptId'),
      operatorSeq: $('operatorSeq'),
      agentId: $('agentId'),
      receiptType: $('receiptType'),
      inputDigest: $('inputDigest'),
      authorityScope: $('authorityScope'),
      expiry: $('expiry'),
      issuedAt: $('issuedAt'),
      domain: $('domain'),
      domainCommitment: $('domainCommitment'),
      blindSalt: $('blindSalt'),
      prevReceiptHash: $('prevReceiptHash'),
      prevReceiptSeq: $('prevReceiptSeq'),
      chainDepth: $('chainDepth'),
      status: 'pending',
      revocationStatus: 'active',
      version: 1,
    })
    .returning({ receiptSeq: receipt.receiptSeq })
    .prepare(),
  insertVersion: orm
    .insert(receiptVersion)
    .values({
      receiptSeq: $('receiptSeq'),
      version: $('version'),
      status: $('status'),
      revocationStatus: $('revocationStatus'),
      outputHash: $('outputHash'),
      reason: $('reason'),
      errorTranche: $('errorTranche'),
      revocationReason: $('revocationReason'),
      contentHash: $('contentHash'),
      hashPrefix: $('hashPrefix'),
      signature: $('signature'),
      keySeq: $('keySeq'),
      signedAt: $('signedAt'),
    })
    .prepare(),
  /** The conditional updates: of two that race, one finds a row. */
  finalize: orm
    .update(receipt)
    .set({ status: sql`${$('status')}`, version: sql`${receipt.version} + 1` })
    .where(
      and(
        eq(receipt.receiptSeq, bound(receipt.receiptSeq, 'receiptSeq')),
        eq(receipt.status, 'pending'),
        eq(receipt.revocationStatus, 'active'),
      ),
    )
    .returning({ version: receipt.version })
    .prepare(),
  revoke: orm
    .update(receipt)
    .set({ revocationStatus: 'revoked', version: sql`${receipt.version} + 1` })
    .where(
      and(
        eq(receipt.receiptSeq, bound(receipt.receiptSeq, 'receiptSeq')),
        eq(receipt.revocationStatus, 'active'),
      ),
    )
    .returning({ version: receipt.version })
    .prepare(),
  /** The operator's receipt of which some version has this content hash. */
  byContentHash: orm
    .select({ receiptSeq: receipt.receiptSeq, chainDepth: receipt.chainDepth })
    .from(receiptVersion)
    .innerJoin(receipt, eq(receipt.receiptSeq, receiptVersion.receiptSeq))
    .where(
      and(
        eq(receiptVersion.hashPrefix, bound(receiptVersion.hashPrefix, 'hashPrefix')),
        eq(receiptVersion.contentHash, bound(receiptVersion.contentHash, 'contentHash')),
        eq(receipt.operatorSeq, bound(receipt.operatorSeq, 'operatorSeq')),
      ),
    )
    .limit(1)
    .prepare(),
  countOf: orm
    .select({ receipts: sum(receiptCount.receipts) })
    .from(receiptCount)
    .where(eq(receiptCount.operatorSeq, bound(receiptCount.operatorSeq, 'operatorSeq')))
    .prepare(),
  countByState: orm
    .select({
      status: receiptCount.status,
      revocationStatus: receiptCount.revocationStatus,
      receipts: sum(receiptCount.receipts).mapWith(Number),
    })
    .from(receiptCount)
    .groupBy(receiptCount.status, receiptCount.revocationStatus)
    .prepare(),
  successors: orm
    .select({ receiptId: successor.receiptId })
    .from(successor)
    .where(eq(successor.prevReceiptSeq, bound(successor.prevReceiptSeq, 'receiptSeq')))
    .orderBy(asc(successor.receiptSeq))
    .limit(20)
    .prepare(),
}));

export interface Page {
  operatorSeq: number;
  domain?: Domain | undefined;
  statuses?: readonly ReceiptStatus[] | undefined;
  agentId?: string | undefined;
  /** Inclusive and exclusive, in the form that issued_at is stored in. */
  from?: string | undefined;
  to?: string | undefined;
  /** The last row of the page before. */
  after?: { issuedAt: string; receiptSeq: number } | undefined;
  rows: number;
}

/** A page of receipts, newest first; its place is a key, not an offset, so rows that are added move nothing. */
export function selectPage({ connection }: Snapshot, page: Page): Standing[] {
  const { after } = page;
  const conditions: (SQL | undefined)[] = [
    eq(receipt.operatorSeq, page.operatorSeq),
    page.agentId === undefined ? undefined : eq(receipt.agentId, page.agentId),
    page.domain === undefined ? undefined : eq(receipt.domain, page.domain),
    page.statuses === undefined ? undefined : inArray(receipt.status, [...page.statuses]),
    page.from === undefined ? undefined : gte(receipt.issuedAt, page.from),
    page.to === undefined ? undefined : lt(receipt.issuedAt, page.to),
    after === undefined
      ? undefined
      : or(
          lt(receipt.issuedAt, after.issuedAt),
          and(eq(receipt.issuedAt, after.issuedAt), lt(receipt.receiptSeq, after.receiptSeq)),
        ),
  ];
  return standing(connection.orm)
    .where(and(...conditions))
    .orderBy(desc(receipt.issuedAt), desc(receipt.receiptSeq))
    .limit(page.rows)
    .all();
}

/** A receipt's row with its current version, operator and key. */
export interface Standing {
  receipt: typeof receipt.$inferSelect;
  operatorId: string;
  current: typeof receiptVersion.$inferSelect;
  kid: string;
}
