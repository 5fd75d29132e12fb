import type { Snapshot } from '../../../platform/store/transaction.ts';
import { receiptsAfter } from '../page-store.ts';
import { receiptWithoutSalt } from '../representation.ts';
import { newestReceipt } from '../store.ts';

/** What is exported: bounds on issued_at in the stored form, inclusive and exclusive; undefined for none. */
export interface Range {
  from: string | undefined;
  to: string | undefined;
  /** Only the receipts of this operator; undefined for all. */
  operator?: string | undefined;
}

/** A page of receipts as NDJSON, with line ends. */
export interface ExportedPage {
  text: string;
  receipts: number;
  /** The share of the table that has been read, 0 to 1. */
  share: number;
}

/** The rows of one read: few, so that no snapshot lasts for long and the write-ahead log can restart. */
const PAGE_ROWS = 1000;

/**
 * Reads the receipts in a range as NDJSON, oldest first, page by page. Each has the members of section 2.1 of
 * the specification and kid, and never the salt of a blind receipt. Receipts that are issued after the first
 * page was requested are left out; a receipt that changes meanwhile has the state of when its page is read.
 * @param snapshot of a connection outside any transaction, so that each page is one read
 */
export async function* exportPages(snapshot: Snapshot, range: Range): AsyncGenerator<ExportedPage> {
  const last = (await newestReceipt(snapshot))?.receiptSeq ?? 0;
  let after = 0;
  while (after < last) {
    const { rows, reach } = await receiptsAfter(snapshot, { after, last }, range, PAGE_ROWS);
    after = reach;
    const receipts = rows
      .map((row) => receiptWithoutSalt(row))
      .filter(({ operator_id }) => range.operator === undefined || operator_id === range.operator);
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    yield { text, receipts: receipts.length, share: after / last };
  }
}
