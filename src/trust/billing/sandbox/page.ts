import type { RenderedPage } from '../../../platform/page/document.ts';
import { renderFormPage } from '../../../platform/page/form-page.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { timestampOf } from '../../../platform/time/timestamp.ts';
import { dollars, plainDollars } from '../dollar-text.ts';
import { productNameOf, returnUrl } from '../processor/checkout-details.ts';
import { pagePath } from './paths.ts';
import { MAX_PAYMENTS } from './renew.ts';
import type { SandboxSession } from './session.ts';
import type { PaymentRow, SessionRow } from './store.ts';

/** The service and the time for which a page of the sandbox is shown. */
export interface SandboxPageContext {
  /** The URL of the service for its clients. */
  url: string;
  notice: string | null;
  /** Milliseconds since 1970. */
  now: number;
}

/** The notice on all pages of the sandbox. */
export const HEADER = html`<p class="notice" role="note">SANDBOX: no real money is paid. Credits and stake from here are marked as sandbox and cannot be withdrawn.</p>`;

/** Returns the page of a session: its payments, and the actions that it allows now. */
export function checkoutPage(
  { session, payments }: SandboxSession,
  context: SandboxPageContext,
): RenderedPage {
  const state = stateOf(session, context.now);
  return renderFormPage({
    title: `SANDBOX checkout, ${dollars(session.usdCents)}`,
    header: HEADER,
    notice: context.notice,
    body: html`<div class="middle">
<p class="kicker">SANDBOX checkout</p>
<h1>${productNameOf(session.purpose)}</h1>
<section class="card">
<p><span class="tag ${TAGS[state]}">${LABELS[state]}</span></p>
<dl class="facts">
<dt>Amount</dt><dd><strong>${dollars(session.usdCents)}</strong>${session.subscriptionId === null ? null : ' a month'}</dd>
<dt>Operator</dt><dd class="hash">${session.operatorId}</dd>
<dt>Session</dt><dd class="hash">${session.sessionId}</dd>
${state === 'open' ? html`<dt>Expires</dt><dd>${timeText(session.expiresAt)}</dd>\n` : null}</dl>
${CONTENTS[state](session, context)}
</section>
${payments.length === 0 ? null : paymentsCard(session, payments, context)}
<p class="foot">This page belongs to the built-in payment processor of a test installation. It sends the service the same signed events as
Stripe does.</p>
</div>`,
  });
}

type State = 'open' | 'expired' | 'paid' | 'failed' | 'canceled';

function stateOf({ status, expiresAt, canceledAt }: SessionRow, now: number): State {
  if (status === 'open' && now >= expiresAt) return 'expired';
  return canceledAt === null ? status : 'canceled';
}

const LABELS = {
  open: 'Not paid yet',
  expired: 'Expired',
  paid: 'Paid',
  failed: 'Payment failed',
  canceled: 'Subscription canceled',
} as const satisfies Record<State, string>;

const TAGS = { open: 'info', expired: 'warn', paid: 'good', failed: 'bad', canceled: 'warn' } as const;

const CONTENTS: Record<State, (session: SessionRow, context: SandboxPageContext) => Html> = {
  open: (session, context) =>
    html`${form(session, context, [
      ['pay', 'primary', `Pay ${dollars(session.usdCents)}`],
      ['fail', '', 'Fail the payment'],
    ])}`,
  expired: () => html`<p>This checkout was not paid within an hour. Start a new one.</p>`,
  failed: () => html`<p>Nothing was paid, and nothing was booked. Start a new checkout to try again.</p>`,
  paid: continued,
  canceled: continued,
};

function continued({ purpose, sessionId }: SessionRow, { url }: SandboxPageContext): Html {
  const where = purpose === 'subscription' ? 'Continue: get the API key' : 'Continue to the account';
  return html`<p class="actions"><a class="button primary" href="${returnUrl(url, purpose, sessionId)}">${where}</a></p>`;
}

function paymentsCard(
  session: SessionRow,
  payments: readonly PaymentRow[],
  context: SandboxPageContext,
): Html {
  const { subscriptionId, canceledAt } = session;
  const isActive = subscriptionId !== null && canceledAt === null;
  return html`<section class="card">
<h2>${subscriptionId === null ? 'Payment' : 'Subscription'}</h2>
<table class="stacked list">
<thead><tr><th>Paid at</th><th class="number">Amount</th><th class="number">Refunded</th><th class="end">Refund</th></tr></thead>
<tbody>
${payments.map((payment) => paymentRow(session, payment, context))}</tbody>
</table>
${
  isActive
    ? form(session, context, [
        ...(payments.length < MAX_PAYMENTS ? ([['renew', '', 'Renew: pay the next month']] as const) : []),
        ['cancel', 'danger', 'Cancel the subscription'],
      ])
    : null
}
</section>`;
}

function paymentRow(session: SessionRow, payment: PaymentRow, context: SandboxPageContext): Html {
  const { chargeId, usdCents, refundedCents, createdAt } = payment;
  const left = usdCents - refundedCents;
  const amount = plainDollars(left);
  return html`<tr><td data-label="Paid at">${timeText(createdAt)}</td><td class="number" data-label="Amount">${dollars(usdCents)}</td><td class="number" data-label="Refunded">${dollars(refundedCents)}</td><td class="end">${
    left === 0
      ? 'nothing left'
      : html`<form method="post" action="${actionOf(session, context)}">
<input type="hidden" name="charge" value="${chargeId}">
<div class="actions"><label class="amount"><span>$</span><input type="text" name="amount" value="${amount}" size="8" inputmode="decimal" aria-label="US dollars to refund"></label>
<button class="slim" name="action" value="refund">Refund</button>
<button class="slim danger" name="action" value="dispute">Dispute</button></div>
</form>`
  }</td></tr>
`;
}

type Button = readonly [action: SandboxAction, style: string, label: string];

/** The actions of the page's forms. */
export const SANDBOX_ACTIONS = ['pay', 'fail', 'renew', 'refund', 'dispute', 'cancel'] as const;

export type SandboxAction = (typeof SANDBOX_ACTIONS)[number];

function form(session: SessionRow, context: SandboxPageContext, buttons: readonly Button[]): Html {
  return html`<form method="post" action="${actionOf(session, context)}">
<p class="actions">${buttons.map(
    ([action, style, label]) =>
      html`<button class="${style}" name="action" value="${action}">${label}</button>\n`,
  )}</p>
</form>`;
}

/** Returns the path for the forms of the page, below the path at which a proxy serves the service. */
function actionOf({ sessionId }: SessionRow, { url }: SandboxPageContext): string {
  return `${new URL(url).pathname.replace(/\/+$/, '')}${pagePath(sessionId)}`;
}

/** Returns a time for people, in UTC to the minute. @param ms since 1970 */
function timeText(ms: number): string {
  return `${timestampOf(ms).slice(0, 16).replace('T', ' ')} UTC`;
}
