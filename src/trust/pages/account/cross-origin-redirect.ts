import { html } from '../../../platform/page/html.ts';
import type { Answer } from './response.ts';

/**
 * Leads a browser from a form to a page of the payment processor. The content security policy lets forms of
 * this service, and what they redirect to, go to this origin only. So a page leads to another origin, by
 * itself and by a link.
 * @param ownUrl the URL of the service for its clients; null if unknown
 */
export function leaveFor(ownUrl: string | null, url: string): Answer {
  const target = new URL(url);
  if (target.origin === URL.parse(ownUrl ?? '')?.origin)
    return { location: `${target.pathname}${target.search}` };
  return {
    page: {
      title: 'Continue to payment',
      visitor: null,
      refresh: { seconds: 0, url: target.href },
      body: html`<div class="narrow"><h1>Continue to payment</h1>
<p>You pay at <strong>${target.host}</strong>, and come back here after it.</p>
<p class="actions"><a class="button primary" href="${target.href}">Continue</a></p></div>`,
    },
  };
}
