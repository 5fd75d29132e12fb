import type { RenderedPage } from '../../../platform/page/document.ts';
import { renderFormPage } from '../../../platform/page/form-page.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import { textField } from '../../../platform/page/parts.ts';
import { dollars } from '../dollar-text.ts';
import { portalReturnUrl, productNameOf } from '../processor/checkout-details.ts';
import { HEADER, type SandboxPageContext } from './page.ts';
import { portalPath } from './paths.ts';
import type { PortalAction } from './portal.ts';
import type { SessionRow } from './store.ts';

/** Returns the page on which a customer manages its subscriptions. */
export function portalPage(
  subscriptions: readonly SessionRow[],
  token: string,
  context: SandboxPageContext,
): RenderedPage {
  // Below the path at which a proxy serves the service.
  const base = new URL(context.url).pathname.replace(/\/+$/, '');
  const path = `${base}${portalPath(token)}`;
  return renderFormPage({
    title: 'SANDBOX customer portal',
    header: HEADER,
    notice: context.notice,
    body: html`<div class="middle">
<p class="kicker">SANDBOX customer portal</p>
<h1>Subscription and card</h1>
${
  subscriptions.length === 0
    ? html`<section class="card"><p class="empty">No subscriptions.</p></section>`
    : subscriptions.map((session) => subscriptionCard(session, path))
}
<p class="actions"><a class="button primary" href="${portalReturnUrl(base)}">Back to the account</a></p>
<p class="foot">This page belongs to the built-in payment processor of a test installation. It sends the service the same signed events as
Stripe does.</p>
</div>`,
  });
}

function subscriptionCard(session: SessionRow, path: string): Html {
  const { subscriptionId, purpose, usdCents, canceledAt, cancelsAtEnd, cardLast4 } = session;
  const form = (content: Html) => html`<form method="post" action="${path}">
<input type="hidden" name="subscription" value="${subscriptionId}">${content}</form>`;
  const button = (action: PortalAction, style: string, text: string) =>
    html`<button class="${style}" name="action" value="${action}">${text}</button>\n`;
  const [tone, label]: readonly [string, string] =
    canceledAt !== null
      ? ['warn', 'Canceled']
      : cancelsAtEnd
        ? ['warn', 'Ends with its month']
        : ['good', 'Active'];
  const actions = cancelsAtEnd
    ? [
        button('renew', 'primary', 'Renew the subscription'),
        button('end', '', 'End the month: the subscription ends'),
      ]
    : [
        button('cancel', 'danger', 'Cancel the subscription'),
        button('end', '', 'End the month: the next one is paid'),
      ];
  return html`<section class="card">
<h2>${productNameOf(purpose)}</h2>
<p><span class="tag ${tone}">${label}</span></p>
<dl class="facts">
<dt>Amount</dt><dd><strong>${dollars(usdCents)}</strong> a month</dd>
<dt>Card</dt><dd>ends in ${cardLast4}</dd>
</dl>
${
  canceledAt !== null
    ? null
    : html`${form(html`<p class="actions">${actions}</p>`)}
${form(html`${textField({ name: 'card', label: 'New card', inputMode: 'decimal', maxLength: 23, hint: 'Any 12 to 19 digits, such as 5555 5555 5555 4444. Only the last four are stored.' })}<p class="actions">${button('card', '', 'Change the card')}</p>`)}`
}
</section>
`;
}
