import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { receipt } from '../../../db/trust/receipts.ts';
import { slash } from '../../../db/trust/slashing.ts';
import type { SlashedTranche } from '../../../db/trust/slashing-enums.ts';
import { bound, everyColumn } from '../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../platform/store/transaction.ts';

const $ = sql.placeholder;
const { slashSeq, receiptSeq, operatorSeq, tranche, amountCents } = slash;

const query = statements((orm) => {
  const page = (isFiltered: boolean) =>
    orm
      .select({ ...getTableColumns(slash), receiptId: receipt.receiptId })
      .from(slash)
      .innerJoin(receipt, eq(receipt.receiptSeq, receiptSeq))
      .where(
        sql`${and(
          eq(operatorSeq, bound(operatorSeq, 'operatorSeq')),
          isFiltered ? eq(tranche, bound(tranche, 'tranche')) : undefined,
          lt(slashSeq, bound(slashSeq, 'before')),
        )} ORDER BY ${desc(slashSeq)} LIMIT +${$('limit')}`,
      )
      .prepare();
  return {
    insert: () =>
      orm
        .insert(slash)
        .values(everyColumn(slash, ['slashSeq']))
        .prepare(),
    page: () => page(false),
    pageOfTranche: () => page(true),
    ofReceipt: () =>
      orm
        .select({ amountCents })
        .from(slash)
        .where(eq(receiptSeq, bound(receiptSeq, 'receiptSeq')))
        .prepare(),
  };
});

/** An entry of the slashing ledger. */
export type SlashRow = typeof slash.$inferSelect;

/** Stores an entry. It never changes. @throws DuplicateRow if the receipt has one */
export function insertSlash(tx: Transaction, row: Omit<SlashRow, 'slashSeq'>): Promise<void> {
  return query(tx, ({ insert }) => void insert.run(row));
}

/** Returns an operator's newest entries with the ids of their receipts, of one tranche or of all. @param before the position to begin before */
export function slashesOf(
  snapshot: Snapshot,
  asked: {
    operatorSeq: number;
    tranche: SlashedTranche | undefined;
    before: number | undefined;
    limit: number;
  },
): Promise<(SlashRow & { receiptId: string })[]> {
  const values = { ...asked, before: asked.before ?? Number.MAX_SAFE_INTEGER };
  return query(snapshot, (sql) => (asked.tranche === undefined ? sql.page : sql.pageOfTranche).all(values));
}

/** Returns the US cents that a receipt took of its operator's stake; 0 for a receipt without an entry. */
export function centsTakenFor(snapshot: Snapshot, receiptSeq: number): Promise<number> {
  return query(snapshot, ({ ofReceipt }) => ofReceipt.get({ receiptSeq })?.amountCents ?? 0);
}
