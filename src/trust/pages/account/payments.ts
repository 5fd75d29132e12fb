import { PAYMENT_KINDS } from '../../../../db/trust/billing-enums.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { type Tone, tag } from '../../../platform/page/parts.ts';
import { dollars } from '../../billing/dollar-text.ts';
import { CSV_ROWS, paymentsCsv } from '../../billing/entries/csv.ts';
import type { PaymentKind, PaymentStatus } from '../../billing/entries/kinds.ts';
import { type EntryQuery, listPayments } from '../../billing/entries/list.ts';
import { CSV_TYPE, PaymentsQuery } from '../../billing/entries/schema.ts';
import type { EntryView } from '../../billing/entries/view.ts';
import { grouped, moment } from '../../compliance/packages/page/values.ts';
import { requireValid } from './problem.ts';
import type { AccountResponse, PageResponse, Visitor } from './response.ts';
import type { AccountSite } from './site.ts';

const PATH = '/account/billing/payments';

/** The payments that the page of billing shows. */
const NEWEST = '5';

const NAMES: Readonly<Record<PaymentKind, string>> = {
  topup: 'Top-up',
  subscription: 'Subscription',
  settlement: 'Settlement',
  refund: 'Refund',
  chargeback: 'Chargeback',
  debt: 'Debt',
  debt_payment: 'Debt payment',
  dispute: 'Dispute',
  warning: 'Warning of fraud',
};

const TONES: Readonly<Record<PaymentStatus, Tone>> = {
  paid: 'good',
  partly_refunded: 'warn',
  refunded: 'warn',
  made: '',
  reversed: 'good',
  owed: 'bad',
  open: 'warn',
  lost: 'bad',
  released: 'good',
};

/** Returns the card with the newest payments, and the links to all. */
export async function paymentsCard({ trust }: AccountSite, { principal }: Visitor): Promise<Html> {
  const { payments, next_cursor } = await listPayments(trust, principal, { limit: NEWEST });
  return html`<section class="card" id="payments"><h2>Payments</h2>
${payments.length === 0 ? html`<p class="empty">No payments yet.</p>` : paymentTable(payments)}
${
  payments.length === 0
    ? null
    : html`<p class="actions"><a class="button slim" href="${PATH}">${next_cursor === null ? 'Show payments by kind' : 'Show all payments'}</a>
<a class="button slim" href="${PATH}.csv">Download CSV</a></p>`
}</section>
`;
}

/** Returns the page with all payments of the operator, of one kind if the query says so. */
export async function paymentsPage(
  { trust }: AccountSite,
  visitor: Visitor,
  asked: Readonly<Record<string, string>>,
): Promise<PageResponse> {
  const query = queryOf(asked);
  const { payments, next_cursor } = await listPayments(trust, visitor.principal, query);
  const { kind } = query;
  const older = next_cursor === null ? null : `${PATH}?${parametersOf({ ...query, cursor: next_cursor })}`;
  return {
    page: {
      title: 'Payments',
      current: '/account/billing',
      visitor,
      body: html`<p class="kicker"><a href="/account/billing">Billing</a></p>
<h1>Payments</h1>
<p class="soft">What was paid, and what followed: refunds, disputes, debts. Amounts are US dollars.</p>
<nav class="actions" aria-label="Kinds of payments">${kindLink(undefined, kind)}${PAYMENT_KINDS.map((name) => kindLink(name, kind))}</nav>
<section class="card">
${payments.length === 0 ? html`<p class="empty">No payments ${kind === undefined ? 'yet' : 'of this kind'}.</p>` : paymentTable(payments)}
${older === null ? null : html`<p class="page"><a href="${older}">Older payments</a></p>`}</section>
<p class="actions"><a class="button slim" href="${PATH}.csv?${parametersOf({ ...query, cursor: undefined })}">Download CSV</a></p>
<p class="foot">The file has the newest ${grouped(CSV_ROWS)} of them. The API has the others: <code>GET /api/v1/account/payments</code>.</p>`,
    },
  };
}

/** Returns the payments as a file for spreadsheets. */
export async function paymentsFile(
  { trust }: AccountSite,
  { principal }: Visitor,
  asked: Readonly<Record<string, string>>,
): Promise<AccountResponse> {
  const { text } = await paymentsCsv(trust, principal, queryOf(asked));
  return { file: { text, type: CSV_TYPE, name: 'payments.csv' } };
}

/** Returns the query of a page. @throws ApiError validation_error */
function queryOf(asked: Readonly<Record<string, string>>): EntryQuery {
  return requireValid(PaymentsQuery, asked);
}

function parametersOf(query: EntryQuery): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given).toString();
}

function kindLink(kind: PaymentKind | undefined, current: PaymentKind | undefined): Html {
  const [path, name] = kind === undefined ? [PATH, 'All'] : [`${PATH}?kind=${kind}`, NAMES[kind]];
  return kind === current
    ? html`<strong aria-current="page">${name}</strong> `
    : html`<a href="${path}">${name}</a> `;
}

function paymentTable(payments: readonly EntryView[]): Html {
  return html`<table class="list stacked"><caption class="hidden">Newest first</caption>
<thead><tr><th scope="col">Payment</th><th scope="col">State</th><th scope="col">Date</th><th scope="col">Documents</th><th scope="col" class="number">Amount</th><th scope="col" class="number">Credits</th></tr></thead>
<tbody>
${payments.map(
  (payment) => html`<tr><th scope="row"><span class="name">${NAMES[payment.kind]}</span>
<p class="hash soft">${shortened(payment.reference)}</p></th>
<td>${stateOf(payment)}</td><td data-label="Date">${moment(payment.created_at)}</td>
${documentsOf(payment)}
<td class="number" data-label="Amount">${payment.amount === null ? '–' : dollars(payment.amount)}</td>
<td class="number" data-label="Credits">${gaveText(payment)}</td></tr>
`,
)}</tbody></table>`;
}

/** The characters of a reference that a table shows: the ids of the processor begin alike. */
const SHOWN = 28;

function shortened(reference: string): string {
  return reference.length <= SHOWN ? reference : `${reference.slice(0, SHOWN)}…`;
}

function stateOf({ status, held_until, kind, sandbox }: EntryView): Html {
  const held = held_until === null ? null : html`<p class="small soft">held until ${moment(held_until)}</p>`;
  const tone = kind === 'debt' || kind === 'debt_payment' ? '' : TONES[status];
  return html`${tag(status.replaceAll('_', ' '), tone)}${sandbox ? html` ${tag('SANDBOX', 'warn')}` : null}${held}`;
}

function gaveText({ credits, promotional_credits, stake_cents, kind }: EntryView): Html | string {
  if (stake_cents !== 0) return `${dollars(stake_cents)} stake`;
  if (credits === 0 && promotional_credits === 0) return '–';
  const sign = credits < 0 ? '−' : '';
  const owed = kind === 'debt' ? ' owed' : '';
  const promotional =
    promotional_credits === 0
      ? null
      : html`<p class="small soft">and ${grouped(promotional_credits)} promotional</p>`;
  return html`${sign}${grouped(Math.abs(credits))}${owed}${promotional}`;
}

/** Returns the cell with the links of a payment, which leads to pages of the processor. */
function documentsOf({ invoice_url, invoice_pdf, receipt_url }: EntryView): Html {
  const links = (
    [
      [invoice_url, 'Invoice'],
      [invoice_pdf, 'PDF'],
      [receipt_url, 'Receipt'],
    ] as const
  ).flatMap(([url, name]) => (url === null ? [] : [html`<a href="${url}" rel="noreferrer">${name}</a> `]));
  return links.length === 0 ? html`<td></td>` : html`<td data-label="Documents">${links}</td>`;
}
