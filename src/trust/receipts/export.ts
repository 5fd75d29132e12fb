import type { Connection } from '../../platform/store/connection.ts';
import { sharedReceipt } from './present.ts';
import { receiptSql } from './store.ts';

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
/** Issue times are digits first: all are after the one and before the other. */
const BEFORE_ALL = '';
const AFTER_ALL = '~';

/**
 * All operators' receipts of a range as NDJSON (section 2.1 of the service's specification with kid, never with the
 * salt of a blind one), oldest first, page by page. What is issued after the first page was asked for is left out;
 * a receipt that changes meanwhile is given as it stands when its page is read.
 */
export function* exportPages(connection: Connection, { from, to }: Range): Generator<ExportedPage> {
  const sql = receiptSql({ connection });
  const last = sql.newest.get()?.receiptSeq ?? 0;
  let after = 0;
  while (after < last) {
    // A page is a stretch of the table, not of the answer: however few rows fit, its read is short.
    const reach = Math.min(sql.reach.get({ after, skipped: PAGE_ROWS - 1 })?.receiptSeq ?? last, last);
    const rows = sql.stretch.all({ after, reach, from: from ?? BEFORE_ALL, to: to ?? AFTER_ALL });
    after = reach;
    const text = rows.map((row) => `${JSON.stringify(sharedReceipt(row))}\n`).join('');
    yield { text, receipts: rows.length, share: after / last };
  }
}
