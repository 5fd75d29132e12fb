import { getTableColumns } from 'drizzle-orm';
import { receipt } from '../../../../db/trust/receipts.ts';
import { slash } from '../../../../db/trust/slashing.ts';
import type { SlashedTranche } from '../../../../db/trust/slashing-enums.ts';
import { sqlOf } from '../../../platform/store/sql.ts';
import { runQuery, type Snapshot } from '../../../platform/store/transaction.ts';

const sql = sqlOf({ slash, receipt });

const page = sql.joined({ ...getTableColumns(slash), receiptId: receipt.receiptId }).rows`
  FROM slash JOIN receipt USING (receipt_seq)
  WHERE slash.operator_seq = ${'operatorSeq'} AND tranche = ${'tranche'} AND slash_seq < ${'before:slashSeq'}
  ORDER BY slash_seq DESC LIMIT ${'limit'}`;
const amountOfReceipt = sql.value(slash.amountCents)`WHERE receipt_seq = ${'receiptSeq'}`;

/** An entry of the slashing ledger. */
export type SlashRow = typeof slash.$inferSelect;

/** Stores an entry. It never changes. @throws DuplicateRow if the receipt has one */
export const insertSlash = sql.insert(slash, { without: ['slashSeq'] });

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
  return runQuery(snapshot, (connection) =>
    tranches
      .flatMap((tranche) => page.on(connection, { ...selection, tranche, before }))
      .toSorted((left, right) => right.slashSeq - left.slashSeq)
      .slice(0, selection.limit),
  );
}

/** Returns the US cents that a receipt took of its operator's stake; 0 for a receipt without an entry. */
export async function centsTakenFor(snapshot: Snapshot, receiptSeq: number): Promise<number> {
  return (await amountOfReceipt(snapshot, receiptSeq)) ?? 0;
}
