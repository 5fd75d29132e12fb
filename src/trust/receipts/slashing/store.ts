import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import { receipt } from '../../../../db/trust/receipts.ts';
import { slash } from '../../../../db/trust/slashing.ts';
import type { SlashedTranche } from '../../../../db/trust/slashing-enums.ts';
import { bound, everyColumn } from '../../../platform/store/columns.ts';
import { type Snapshot, statements, type Transaction } from '../../../platform/store/transaction.ts';

const $ = sql.placeholder;
const { slashSeq, receiptSeq, operatorSeq, tranche, amountCents } = slash;

const query = statements((orm) => ({
  insert: () =>
    orm
      .insert(slash)
      .values(everyColumn(slash, ['slashSeq']))
      .prepare(),
  page: () =>
    orm
      .select({ ...getTableColumns(slash), receiptId: receipt.receiptId })
      .from(slash)
      .innerJoin(receipt, eq(receipt.receiptSeq, receiptSeq))
      .where(
        sql`${and(
          eq(operatorSeq, bound(operatorSeq, 'operatorSeq')),
          eq(tranche, bound(tranche, 'tranche')),
          lt(slashSeq, bound(slashSeq, 'before')),
        )} ORDER BY ${desc(slashSeq)} LIMIT +${$('limit')}`,
      )
      .prepare(),
  ofReceipt: () =>
    orm
      .select({ amountCents })
      .from(slash)
      .where(eq(receiptSeq, bound(receiptSeq, 'receiptSeq')))
      .prepare(),
}));

/** An entry of the slashing ledger. */
export type SlashRow = typeof slash.$inferSelect;

/** Stores an entry. It never changes. @throws DuplicateRow if the receipt has one */
export function insertSlash(tx: Transaction, row: Omit<SlashRow, 'slashSeq'>): Promise<void> {
  return query(tx, ({ insert }) => void insert.run(row));
}

/**
 * Returns an operator's newest entries with the ids of their receipts, newest first.
 * @param before the position to begin before; undefined for the newest
 */
export function slashesOf(
  snapshot: Snapshot,
  {
    tranches,
    before = Number.MAX_SAFE_INTEGER,
    ...selection
  }: {
    operatorSeq: number;
    tranches: readonly SlashedTranche[];
    before: number | undefined;
    limit: number;
  },
): Promise<(SlashRow & { receiptId: string })[]> {
  return query(snapshot, ({ page }) =>
    tranches
      .flatMap((name) => page.all({ ...selection, tranche: name, before }))
      .toSorted((left, right) => right.slashSeq - left.slashSeq)
      .slice(0, selection.limit),
  );
}

/** Returns the US cents that a receipt took of its operator's stake; 0 for a receipt without an entry. */
export function centsTakenFor(snapshot: Snapshot, receiptSeq: number): Promise<number> {
  return query(snapshot, ({ ofReceipt }) => ofReceipt.get({ receiptSeq })?.amountCents ?? 0);
}
