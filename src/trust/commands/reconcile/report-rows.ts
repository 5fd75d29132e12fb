import { Failure } from '../../../platform/failure.ts';
import type { CsvRow } from './csv-rows.ts';

/** A row of a report: one balance transaction of the account at Stripe. */
export interface ReportRow {
  line: number;
  /** The reporting category, such as `charge`. */
  category: string;
  /** Milliseconds since 1970. */
  at: number;
  /** As the customer sees it, in hundredths of the currency. */
  cents: number;
  /** ISO 4217, lower case. */
  currency: string;
  /** The fee, in hundredths of the currency of the account. */
  feeCents: number;
  feeCurrency: string;
  paymentIntent: string | null;
  invoiceId: string | null;
  chargeId: string | null;
}

/** The columns that both itemized reports have, by their names in them. */
const NEEDED = ['reporting_category', 'currency', 'gross', 'fee', 'payment_intent_id'] as const;
const OPTIONAL = [
  'created_utc',
  'created',
  'invoice_id',
  'charge_id',
  'customer_facing_amount',
  'customer_facing_currency',
] as const;
type Name = (typeof NEEDED)[number] | (typeof OPTIONAL)[number];

const HINT =
  'use the itemized report "Balance change from activity" or "Payout reconciliation" of Stripe, with the columns created_utc, payment_intent_id and, if there are subscriptions, invoice_id';

/**
 * Yields the rows of an itemized report of Stripe, Balance change from activity or Payout reconciliation
 * (docs.stripe.com/reports/report-types). Columns may be in any order, and others are not looked at.
 * @throws Failure for another file, and for a row with other columns, without a time or without an amount
 */
export async function* reportRows(rows: AsyncIterable<CsvRow>, name: string): AsyncGenerator<ReportRow> {
  let columns: ReadonlyMap<Name, number> | null = null;
  let count = 0;
  for await (const row of rows) {
    if (columns === null) {
      columns = columnsOf(row.values, name);
      count = row.values.length;
      continue;
    }
    if (row.values.length !== count) {
      throw new Failure(
        `line ${row.line} of ${name} has ${row.values.length} values, and the header has ${count}`,
        'download the report again: it must not be edited',
      );
    }
    yield reportRow(row, columns, name);
  }
  if (columns === null) throw new Failure(`${name} is empty`, HINT, 2);
}

function columnsOf(header: readonly string[], name: string): ReadonlyMap<Name, number> {
  const names = header.map((column) => column.trim().toLowerCase());
  if (names.length === 1 && /[;\t]/.test(names[0] ?? ''))
    throw new Failure(`${name} is not separated by commas`, HINT, 2);
  const columns = new Map<Name, number>();
  for (const column of [...NEEDED, ...OPTIONAL]) {
    const [at, other] = names.flatMap((each, index) => (each === column ? [index] : []));
    if (other !== undefined) throw new Failure(`${name} has the column ${column} twice`, HINT, 2);
    if (at !== undefined) columns.set(column, at);
  }
  const missing: string[] = NEEDED.filter((column) => !columns.has(column));
  if (!columns.has('created_utc') && !columns.has('created')) missing.push('created_utc');
  if (missing.length > 0)
    throw new Failure(`${name} is no itemized report: it has no column ${missing.join(', ')}`, HINT, 2);
  return columns;
}

function reportRow({ line, values }: CsvRow, columns: ReadonlyMap<Name, number>, name: string): ReportRow {
  const text = (column: Name): string => {
    const at = columns.get(column);
    return at === undefined ? '' : (values[at] ?? '').trim();
  };
  const wrong = (column: Name): Failure =>
    new Failure(
      `line ${line} of ${name} has ${JSON.stringify(text(column).slice(0, 40))} as ${column}`,
      'download the report again, with amounts such as 1234.50 and times such as 2026-01-31 12:00:00',
    );
  const cents = (column: Name): number => {
    const amount = centsOf(text(column));
    if (amount === null) throw wrong(column);
    return amount;
  };
  const orNull = (column: Name): string | null => (text(column) === '' ? null : text(column));
  const timeColumn = columns.has('created_utc') ? 'created_utc' : 'created';
  const at = timeOf(text(timeColumn));
  if (at === null) throw wrong(timeColumn);
  // What the customer paid, if the account has another currency.
  const isConverted = text('customer_facing_currency') !== '' && text('customer_facing_amount') !== '';
  return {
    line,
    category: text('reporting_category').toLowerCase(),
    at,
    cents: isConverted ? signed(cents('customer_facing_amount'), cents('gross')) : cents('gross'),
    currency: text(isConverted ? 'customer_facing_currency' : 'currency').toLowerCase(),
    feeCents: text('fee') === '' ? 0 : cents('fee'),
    feeCurrency: text('currency').toLowerCase(),
    paymentIntent: orNull('payment_intent_id'),
    invoiceId: orNull('invoice_id'),
    chargeId: orNull('charge_id'),
  };
}

/** Returns an amount with the sign of another one: not all versions of the reports give it the same. */
function signed(amount: number, like: number): number {
  return like < 0 ? -Math.abs(amount) : amount;
}

/** Returns an amount in hundredths, exactly; null for another text. Reports can have decimal commas. */
function centsOf(text: string): number | null {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  if (whole === '') return null;
  const cents = Number(whole) * 100 + Number(fraction.padEnd(2, '0'));
  return minus === '' || cents === 0 ? cents : -cents;
}

/** Returns a time in UTC in milliseconds since 1970; null for another text. */
function timeOf(text: string): number | null {
  const [, day, time = '00:00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?Z?)?$/.exec(text) ?? [];
  if (day === undefined) return null;
  const at = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  return Number.isNaN(at) ? null : at;
}
