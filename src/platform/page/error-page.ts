import type { ErrorOfPage } from '../http/request/page-route.ts';
import type { RenderedPage } from './document.ts';
import { renderFormPage } from './form-page.ts';
import { type Html, html } from './html.ts';

/** Where the pages of errors lead. */
export interface ErrorPlace {
  /** The path at which a visitor continues after an error. */
  home: string;
  /** The text of the link to it. */
  homeName: string;
  /** Whether the pages say that their data is that of a demonstration. */
  notice: string | null;
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'You are not logged in',
  403: 'This is not allowed',
  404: 'The page does not exist',
  405: 'This page cannot do that',
  409: 'This is not possible now',
  413: 'The form is too large',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'The service is not available now',
};

/** Returns the page of an error without a header. */
export function errorPage(failed: ErrorOfPage, place: ErrorPlace): RenderedPage {
  const { notice } = place;
  return renderFormPage({ header: null, notice, ...errorContent(failed, place) });
}

/**
 * Returns the content of the page of an error: what happened, how to find it in the logs, and where to
 * continue.
 */
export function errorContent(
  { status, message, issues = {}, requestId }: ErrorOfPage,
  { home, homeName }: Pick<ErrorPlace, 'home' | 'homeName'>,
): { title: string; body: Html } {
  const title = TITLES[status] ?? 'The request failed';
  const fields = Object.entries(issues).map(
    ([name, problems]) => html`<li><code>${name}</code> ${problems.join(', ')}</li>\n`,
  );
  return {
    title,
    body: html`<div class="narrow">
<h1>${title}</h1>
<p>${message}</p>
${fields.length > 0 ? html`<ul>\n${fields}</ul>\n` : null}<p><a class="button" href="${home}">${homeName}</a></p>
<p class="soft small">Status ${status}. Request <span class="hash">${requestId}</span></p>
</div>`,
  };
}
