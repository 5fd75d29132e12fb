import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../../../src/platform/time/units.ts';
import {
  comparePayments,
  findPayments,
  MOST_COMPARED,
  USUALLY_MS,
} from '../../../../src/trust/billing/entries/compare.ts';
import { compareWithBooks, type Difference } from '../../../../src/trust/commands/reconcile/compare.ts';
import { csvRows } from '../../../../src/trust/commands/reconcile/csv-rows.ts';
import { reportRows } from '../../../../src/trust/commands/reconcile/report-rows.ts';
import { differenceText, summaryText } from '../../../../src/trust/commands/reconcile/words.ts';
import { cycle, paidSession, refunded, subscribed } from '../../../support/billing-app.ts';
import { disputed, openDisputes, refund } from '../../../support/disputes.ts';

let holds: Awaited<ReturnType<typeof openDisputes>>;
beforeEach(async () => {
  holds = await openDisputes();
});
afterEach(async () => {
  expect(await holds.closed()).toEqual([]);
});

/** The columns of "Balance change from activity", and of "Payout reconciliation". */
const ACTIVITY =
  'balance_transaction_id,created_utc,created,available_on_utc,currency,gross,fee,net,reporting_category,source_id,description,customer_facing_amount,customer_facing_currency,charge_id,payment_intent_id,invoice_id';
const PAYOUT =
  'automatic_payout_id,automatic_payout_effective_at_utc,balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,payment_intent_id,charge_id,invoice_id';

/** A row of a report by the names of its columns. */
type Row = Record<string, string>;

const now = (): string => new Date(holds.time.now()).toISOString().slice(0, 19).replace('T', ' ');
const row = (reporting_category: string, gross: string, more: Row = {}): Row => ({
  created_utc: now(),
  currency: 'usd',
  fee: '0.00',
  reporting_category,
  gross,
  ...more,
});

function file(header: string, rows: readonly Row[]): string {
  const lines = rows.map((values) =>
    header
      .split(',')
      .map((name) => values[name] ?? '')
      .join(','),
  );
  return [header, ...lines, ''].join('\r\n');
}

/** Compares a file with the books. @returns the sentences about differences, and the result */
async function reconciled(
  text: string,
  period: { from: number | null; to: number | null } = { from: null, to: null },
) {
  async function* bytes() {
    yield new TextEncoder().encode(text);
  }
  const { trust } = holds.app.service;
  const books = {
    most: MOST_COMPARED,
    usuallyMs: USUALLY_MS,
    find: async (payments: Parameters<typeof findPayments>[1]['payments']) =>
      findPayments(trust, { payments }),
    compare: async (request: { from: number; to: number; after: number }) => comparePayments(trust, request),
  };
  const found: Difference[] = [];
  const summary = await compareWithBooks(
    reportRows(csvRows(bytes(), 'f.csv'), 'f.csv'),
    books,
    period,
    async (one) => void found.push(one),
  );
  return { found, texts: found.map(differenceText), summary };
}

describe('a report of the processor agrees with the books', () => {
  test.each([
    ['of activity', ACTIVITY],
    ['of payouts', PAYOUT],
  ])('%s: charges, refunds, disputes, and months of a subscription', async (_, header) => {
    const rows: Row[] = [];
    const intents: string[] = [];
    for (const cents of [1000, 2000, 3000]) {
      const intent = await holds.pay(cents);
      intents.push(intent);
      rows.push(row('charge', `${cents / 100}.00`, { payment_intent_id: intent, fee: '0.59' }));
      holds.time.advance(DAY_MS);
    }
    const order = await holds.app.subscribe();
    await holds.send(subscribed(order), cycle(order, 1));
    for (const month of [0, 1])
      rows.push(
        row('charge', '49.00', {
          payment_intent_id: `pi_x${month}`,
          invoice_id: `in_${order.sessionId}_${month}`,
        }),
      );
    const [first = '', second = '', third = ''] = intents;
    await holds.send(refunded(first, 1000), refunded(second, 500));
    rows.push(row('refund', '-10.00', { payment_intent_id: first }));
    rows.push(row('refund', '-5.00', { payment_intent_id: second }));
    holds.time.advance(1000);
    await holds.send(disputed(third, 'funds_withdrawn', { amount: 3000 }));
    rows.push(row('dispute', '-30.00', { payment_intent_id: third, fee: '15.00' }));
    rows.push(row('fee', '-2.00'), row('payout', '-100.00'));
    const { texts, summary } = await reconciled(file(header, rows));
    expect(texts).toEqual([]);
    expect(summary).toMatchObject({
      rows: 10,
      payments: 5,
      differences: 0,
      fees: { usd: 177 + 1500 + 200 },
      others: { payout: 1 },
    });
    expect(summaryText(summary, 0)).toContain(
      'fees     $18.77, not booked\nother    1 of payout\nno differences\n',
    );
  });

  test('with quotes, a byte order mark, other columns and a decimal comma', async () => {
    const intent = await holds.pay(123_450);
    const header = `"new column",${ACTIVITY}`;
    const values = row('charge', '"1234,50"', {
      payment_intent_id: intent,
      description: '"=2+2, ""quoted""\r\nsecond line"',
      fee: '"36,10"',
    });
    const { texts, summary } = await reconciled(`\ufeff${file(header, [values])}`);
    expect([texts, summary.fees]).toEqual([[], { usd: 3610 }]);
  });

  test('if the account has another currency than the customer', async () => {
    const intent = await holds.pay(1000);
    const more = {
      payment_intent_id: intent,
      customer_facing_amount: '10.00',
      customer_facing_currency: 'usd',
    };
    expect(
      (await reconciled(file(ACTIVITY, [row('charge', '9.20', { ...more, currency: 'eur' })]))).texts,
    ).toEqual([]);
  });

  test('if a refund or a payment was booked just after the period, or made before it', async () => {
    const first = await holds.pay(1000);
    const charge = row('charge', '10.00', { payment_intent_id: first });
    const back = row('refund', '-4.00', { payment_intent_id: first });
    holds.time.advance(5000);
    await holds.send(refunded(first, 400));
    expect((await reconciled(file(ACTIVITY, [charge, back]))).texts).toEqual([]);
    const second = await holds.pay(500);
    const next = row('charge', '5.00', { payment_intent_id: second });
    expect((await reconciled(file(ACTIVITY, [next]))).texts).toEqual([]);
  });
});

describe('it names', () => {
  test('what is in the file and not in the books, and why', async () => {
    await holds.send(paidSession('cs_eur', 5000, { currency: 'eur' }));
    const { texts } = await reconciled(
      file(ACTIVITY, [
        row('charge', '7.00', { payment_intent_id: 'pi_unknown', charge_id: 'ch_7' }),
        row('charge', '50.00', { payment_intent_id: 'pi_cs_eur', currency: 'eur' }),
        row('refund', '-7.00', { charge_id: 'ch_8' }),
      ]),
    );
    expect(texts.map((text) => text.replace(/at [^\s,]+/, 'at T'))).toEqual([
      'line 2: charge of $7.00 at T, ch_7 (pi_unknown): not in the books',
      'line 3: charge of 50.00 eur at T, a payment (pi_cs_eur): not in the books: currency',
      'line 4: refund of −$7.00 at T, ch_8: not in the books',
    ]);
  });

  test('what is in the books and not in the file, within its period only', async () => {
    await holds.pay(100);
    holds.time.advance(10 * DAY_MS);
    const first = await holds.pay(200);
    const begin = row('charge', '2.00', { payment_intent_id: first });
    holds.time.advance(DAY_MS);
    const missing = await holds.pay(300);
    holds.time.advance(DAY_MS);
    const last = await holds.pay(400);
    const rows = [begin, row('charge', '4.00', { payment_intent_id: last })];
    holds.time.advance(DAY_MS);
    await holds.pay(500);
    const { found } = await reconciled(file(ACTIVITY, rows));
    expect(found.map(({ difference, payment_intent }) => [difference, payment_intent])).toEqual([
      ['not_in_file', missing],
    ]);
    const all = await reconciled(file(ACTIVITY, rows), { from: 0, to: holds.time.now() });
    expect(all.found.map(({ books_cents }) => books_cents)).toEqual([100, 300, 500]);
  });

  test('amounts, currencies, refunds and disputes that differ', async () => {
    const [one, two, three, four] = [
      await holds.pay(1000),
      await holds.pay(2000),
      await holds.pay(3000),
      await holds.pay(4000),
    ];
    const rows = [
      row('charge', '10.01', { payment_intent_id: one }),
      row('charge', '20.00', { payment_intent_id: two, currency: 'cad' }),
      row('charge', '30.00', { payment_intent_id: three }),
      row('charge', '40.00', { payment_intent_id: four }),
      row('charge', '40.00', { payment_intent_id: four }),
    ];
    holds.time.advance(DAY_MS);
    await holds.send(refund(three, 'created', { amount: 500 }));
    rows.push(
      row('refund', '-4.99', { payment_intent_id: three }),
      row('dispute', '-1.00', { payment_intent_id: one }),
    );
    const { texts, summary } = await reconciled(file(ACTIVITY, rows));
    expect(texts.map((text) => text.replace(/at [^\s,]+/, 'at T').replace(/cs_\d+/g, 'cs'))).toEqual([
      `line 3: charge of 20.00 cad at T, a payment (${two.replace(/cs_\d+/, 'cs')}): booked in US dollars`,
      `payment at T, cs (pi_cs): the file has $10.01, the books have $10.00`,
      `disputes of the payment cs (pi_cs): the file has $1.00, the books have $0.00 in the period`,
      `refunds of the payment cs (pi_cs): the file has $4.99, the books have $5.00 in the period`,
      `payment at T, cs (pi_cs): the file has $80.00, the books have $40.00`,
    ]);
    expect(summary.differences).toBe(5);
  });
});

describe('another file is refused', () => {
  test.each([
    ['', 'f.csv is empty'],
    [
      'id,Type,Source,Amount\n',
      'it has no column reporting_category, currency, gross, fee, payment_intent_id, created_utc',
    ],
    ['reporting_category;currency\n', 'f.csv is not separated by commas'],
    [`${ACTIVITY},gross\n`, 'f.csv has the column gross twice'],
    [`${ACTIVITY}\n1,2\n`, 'line 2 of f.csv has 2 values, and the header has 16'],
    [
      file(ACTIVITY, [{ reporting_category: 'charge', created_utc: '2026-13-01', gross: '1' }]),
      'as created_utc',
    ],
    [
      file(ACTIVITY, [{ reporting_category: 'charge', created_utc: '2026-01-01 00:00', gross: '1e3' }]),
      'has "1e3" as gross',
    ],
  ])('%j', async (text, message) => {
    expect(await reconciled(text).catch((error: Error) => error.message)).toContain(message);
  });
});
