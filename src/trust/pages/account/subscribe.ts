import { type Html, html } from '../../../platform/page/html.ts';
import { alert, secretField, tag, textField } from '../../../platform/page/parts.ts';
import { SUBSCRIPTION_CENTS, SUBSCRIPTION_CREDITS } from '../../billing/booking.ts';
import { type ClaimState, claimKey, claimState } from '../../billing/claim-api-key.ts';
import { CLAIM_COOKIE, claimTokensOf } from '../../billing/claim-cookie.ts';
import { dollars } from '../../billing/dollar-text.ts';
import { CheckoutRequest } from '../../billing/schema.ts';
import { startCheckout } from '../../billing/start-checkout.ts';
import { factList, grouped, hash } from '../../compliance/packages/page/values.ts';
import { leaveFor } from './cross-origin-redirect.ts';
import { problemAlert } from './page/parts.ts';
import { type Problem, problemOf, requireValid } from './problem.ts';
import type { AccountResponse, PageResponse } from './response.ts';
import type { AccountSite, Exchange } from './site.ts';

/** How often the page asks again whether the payment arrived, in seconds. */
const REFRESH_S = 3;

/** Returns the page to subscribe. */
export async function subscribePage(
  { trust }: AccountSite,
  refused?: { email: string; problem: Problem },
): Promise<PageResponse> {
  const processor = await trust.processor();
  const form =
    processor === null
      ? alert(
          'info',
          html`<p><strong>This service takes no payments.</strong> Ask its administrator for an API key.</p>`,
        )
      : html`<form method="post" action="/billing/subscribe" class="card">
${processor.sandbox ? html`<p>${tag('SANDBOX', 'warn')} No real money is paid.</p>` : null}${textField(
  {
    name: 'email',
    label: 'Email address',
    type: 'email',
    value: refused?.email ?? '',
    maxLength: 254,
    hint: 'For receipts of the payment processor. Optional. It is not stored here.',
  },
  refused?.problem.issues,
)}<button class="primary">Continue to payment</button>
</form>`;
  return {
    page: {
      title: 'Subscribe',
      visitor: null,
      body: html`<div class="narrow"><h1>Countersign Pro</h1>
<p>${dollars(SUBSCRIPTION_CENTS)} a month, with ${grouped(SUBSCRIPTION_CREDITS)} credits for each month. After the payment you get an operator and its API key.</p>
${problemAlert(refused?.problem ?? null, ['email'])}${form}
<p class="soft small">You have a key? <a href="/account">Log in</a>.</p></div>`,
    },
  };
}

/** Orders the subscription, and leads to the page of the processor. The page shows errors of the order. */
export async function orderSubscription(
  site: AccountSite,
  { email }: { email: string },
): Promise<AccountResponse> {
  try {
    const valid = requireValid(CheckoutRequest, email.trim() === '' ? {} : { email: email.trim() });
    const { response, ...newClaim } = await startCheckout(site.trust, valid ?? {});
    if (response.url === undefined) throw new Error('the processor returned no page for a hosted checkout');
    return { ...leaveFor(site.trust.url, response.url), claim: newClaim };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    const { status, headers } = problem;
    return { ...(await subscribePage(site, { email, problem })), status, headers };
  }
}

/** Returns the page after a checkout, which waits for the payment and then has a button for the API key. */
export async function donePage({ trust }: AccountSite, { request }: Exchange): Promise<PageResponse> {
  const sessionId = new URL(request.url).searchParams.get('session_id') ?? '';
  return stateResponse(await claimState(trust, sessionId, claimTokensOf(request)), sessionId);
}

/** Creates the API key and shows it, only once. A second click within half a minute shows the same key. */
export async function claim(
  site: AccountSite,
  { request }: Exchange,
  { session_id: sessionId }: { session_id: string },
): Promise<AccountResponse> {
  const tokens = claimTokensOf(request);
  try {
    return await site.duplicateForms.once(JSON.stringify([CLAIM_COOKIE, sessionId, tokens]), async () =>
      claimedResponse(await claimKey(site.trust, sessionId, tokens)),
    );
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    const { status, headers } = problem;
    const state = await claimState(site.trust, sessionId, tokens);
    return { ...stateResponse(state, sessionId), status, headers };
  }
}

function stateResponse(state: ClaimState, sessionId: string): PageResponse {
  switch (state) {
    case 'unknown':
      return {
        ...plain(
          'No checkout found',
          html`<p>This browser did not start this checkout, or it was never paid and is deleted.</p>
<p>Open this page in the browser with which you paid: only that browser can show the API key.</p>
<p class="actions"><a class="button" href="/billing">Subscribe</a><a href="/account">Log in</a></p>`,
        ),
        status: 404,
      };
    case 'open':
      return {
        page: {
          ...plain(
            'Waiting for the payment',
            html`<p role="status">The payment has not arrived yet. This usually takes seconds; with some banks, days.</p>
<p>This page loads again every ${REFRESH_S} seconds. You can also come back later with this browser.</p>
<p class="actions"><a class="button" href="/billing/done?session_id=${encodeURIComponent(sessionId)}">Load again</a></p>`,
          ).page,
          refresh: { seconds: REFRESH_S, url: `/billing/done?session_id=${encodeURIComponent(sessionId)}` },
        },
      };
    case 'paid':
      return plain(
        'Thank you',
        html`${alert('good', html`<p>The payment arrived, and your operator is ready.</p>`)}<form method="post" action="/billing/done" class="card">
<input type="hidden" name="session_id" value="${sessionId}">
<p>Your API key is made when you press the button, and shown once. Have a safe place ready, such as a password manager.</p>
<button class="primary">Show the API key</button></form>`,
      );
    case 'claimed':
      return plain(
        'The key was shown before',
        html`<p>The API key of this checkout was shown once. It is not stored, so it cannot be shown again.</p>
<p>Log in with it. If you lost it, ask the administrator of this service for another one.</p>
<p class="actions"><a class="button primary" href="/account">Log in</a></p>`,
      );
  }
}

function claimedResponse({
  operator_id,
  api_key,
  sandbox,
}: Awaited<ReturnType<typeof claimKey>>): PageResponse {
  return {
    status: 201,
    page: {
      title: 'Your API key',
      visitor: null,
      body: html`<div class="middle"><h1>Your API key</h1>
${alert('warn', html`<p><strong>Copy the key now.</strong> It is not stored, and this page is the only one that shows it.</p>`)}<section class="card">
${secretField('api_key', 'API key', api_key)}${factList([
  ['Operator', hash(operator_id)],
  ['Plan', html`PRO ${sandbox === true ? tag('SANDBOX', 'warn') : null}`],
])}
<form method="post" action="/account/login" class="actions"><input type="hidden" name="api_key" value="${api_key}"><button class="primary">I have copied it: log in</button></form></section></div>`,
    },
  };
}

/** Returns the page for somebody who left the checkout. */
export function cancelledPage(): PageResponse {
  return plain(
    'Nothing was paid',
    html`<p>You left the checkout. Nothing was paid, and no operator was created.</p>
<p class="actions"><a class="button primary" href="/billing">Try again</a><a href="/account">Log in</a></p>`,
  );
}

function plain(title: string, content: Html): PageResponse {
  return {
    page: { title, visitor: null, body: html`<div class="narrow"><h1>${title}</h1>\n${content}</div>` },
  };
}
