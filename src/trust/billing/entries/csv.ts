import { csvRow } from '../../http/csv.ts';
import { type EntriesContext, type EntryQuery, listPayments } from './list.ts';
import type { EntryView } from './view.ts';

/** The columns, in their order. */
const COLUMNS = [
  'created_at',
  'kind',
  'status',
  'amount',
  'currency',
  'credits',
  'promotional_credits',
  'stake_cents',
  'reference',
  'invoice_id',
  'payment_intent',
  'charge_id',
  'transaction_id',
  'subject_commitment',
  'held_until',
  'invoice_url',
  'invoice_pdf',
  'receipt_url',
  'sandbox',
] as const satisfies readonly (keyof EntryView)[];

/** The most rows of a response in CSV. */
export const CSV_ROWS = 5000;
/** The rows that one read returns, so that other requests are served between them. */
const PAGE = '100';

/**
 * Returns an operator's payments as CSV, newest first: a page of `limit`, or the first CSV_ROWS of the list.
 * @throws ApiError validation_error for an invalid cursor
 */
export async function paymentsCsv(
  trust: EntriesContext,
  operator: { operatorSeq: number },
  query: EntryQuery,
): Promise<{ text: string; next_cursor: string | null }> {
  let text = csvRow(COLUMNS);
  let { cursor } = query;
  for (let rows = 0; ; ) {
    const { payments, next_cursor } = await listPayments(trust, operator, {
      ...query,
      limit: query.limit ?? PAGE,
      cursor,
    });
    text += payments.map((payment) => csvRow(COLUMNS.map((name) => payment[name]))).join('');
    rows += payments.length;
    if (next_cursor === null || query.limit !== undefined || rows >= CSV_ROWS) return { text, next_cursor };
    cursor = next_cursor;
  }
}
