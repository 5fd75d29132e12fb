import { and, asc, eq, gte, lt } from 'drizzle-orm';
import { signingKey } from '../../../db/trust/keys.ts';
import { receipt, receiptLeaf, receiptVersion, revocationLeaf } from '../../../db/trust/receipts.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, syncStatements } from '../../platform/store/transaction.ts';

type Orm = Snapshot['connection']['orm'];

/** The SQL of the leaves that tell of receipts. */
export const leafSql = syncStatements((orm) => ({
  receipts: () => leavesOf(orm, receiptLeaf),
  revocations: () => leavesOf(orm, revocationLeaf),
}));

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
