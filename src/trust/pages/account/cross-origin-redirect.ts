import { html } from '../../../platform/page/html.ts';
import type { AccountResponse } from './response.ts';

/**
 * Leads a browser from a form to a page of the payment processor. The content security policy allows forms
 * and their redirects only to the origin of this service. So a page redirects to another origin.
 * @param serviceUrl the URL of the service for its clients; null if unknown
 */
export function leaveFor(
  serviceUrl: string | null,
  url: string,
  { title, does }: { title: string; does: string } = { title: 'Continue to payment', does: 'You pay' },
): AccountResponse {
  const target = new URL(url);
  if (target.origin === URL.parse(serviceUrl ?? '')?.origin)
    return { location: `${target.pathname}${target.search}` };
  return {
    page: {
      title,
      visitor: null,
      refresh: { seconds: 0, url: target.href },
      body: html`<div class="narrow"><h1>${title}</h1>
<p>${does} at <strong>${target.host}</strong>, and come back here after it.</p>
<p class="actions"><a class="button primary" href="${target.href}">Continue</a></p></div>`,
    },
  };
}
