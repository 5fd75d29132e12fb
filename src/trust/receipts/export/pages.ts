import type { Snapshot } from '../../../platform/store/transaction.ts';
import { receiptsAfter } from '../queries/page-store.ts';
import { receiptWithoutSalt } from '../representation.ts';
import { newestReceipt } from '../store.ts';

/** Bounds on issued_at in the form that it is stored in, inclusive and exclusive; undefined for none. */
export interface Range {
  from: string | undefined;
  to: string | undefined;
}

/** Some receipts, a line of JSON each with its line end. */
export interface ExportedPage {
  text: string;
  receipts: number;
  /** How much of the table is behind it, 0 to 1. */
  share: number;
}

/** So many rows are looked at in one read: no snapshot lasts for long, and the write-ahead log can start anew between. */
const PAGE_ROWS = 1000;

/**
 * All operators' receipts of a range as NDJSON (section 2.1 of the service's specification with kid, never with the
 * salt of a blind one), oldest first, page by page. What is issued after the first page was asked for is left out;
 * a receipt that changes meanwhile is given as it stands when its page is read.
 * @param snapshot of a connection outside any transaction, so that each page is read by itself
 */
export async function* exportPages(snapshot: Snapshot, range: Range): AsyncGenerator<ExportedPage> {
  const last = (await newestReceipt(snapshot))?.receiptSeq ?? 0;
  let after = 0;
  while (after < last) {
    const { rows, reach } = await receiptsAfter(snapshot, { after, last }, range, PAGE_ROWS);
    after = reach;
    const text = rows.map((row) => `${JSON.stringify(receiptWithoutSalt(row))}\n`).join('');
    yield { text, receipts: rows.length, share: after / last };
  }
}
