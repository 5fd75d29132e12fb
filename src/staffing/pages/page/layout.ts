import type { RenderedPage } from '../../../platform/page/document.ts';
import { renderFormPage } from '../../../platform/page/form-page.ts';
import { type Html, html } from '../../../platform/page/html.ts';
import type { PageResponse } from '../response.ts';
import { SCRIPT_PATH } from './script.ts';
import { SEARCH_STYLE } from './style.ts';

/** The sign of the pages: a person and a magnifying glass. */
const SIGN = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path fill="currentColor" d="M8 1.5a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2zM1.2 16.4c0-3.6 3-6 6.8-6 1.2 0 2.4.2 3.3.7a4.7 4.7 0 0 0-1 5.3z"/><path fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" d="M14.4 11a2.9 2.9 0 1 1 0 5.8 2.9 2.9 0 0 1 0-5.8zm2.2 5 2.2 2.2"/></svg>`;

/** Returns the document of a page and its headers. */
export function renderRegistryPage(
  { title, body, isSignedIn }: PageResponse,
  notice: string | null,
): RenderedPage {
  return renderFormPage({
    title: `${title} – Clinician registry`,
    header: header(isSignedIn),
    body: html`<div id="content" tabindex="-1">\n${body}\n</div>`,
    notice,
    styles: [SEARCH_STYLE],
    ...(isSignedIn ? { script: SCRIPT_PATH } : {}),
  });
}

function header(isSignedIn: boolean): Html {
  return html`<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div>
<a class="brand" href="/">${SIGN} Clinician registry</a>
<nav aria-label="Service">
<a href="/">Search</a>
<a href="/swagger">API documentation</a>
<a href="/openapi.json">OpenAPI</a>
</nav>
${
  isSignedIn
    ? html`<form method="post" action="/logout"><button class="slim">Sign out</button></form>\n`
    : null
}</div></header>`;
}
