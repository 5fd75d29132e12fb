import type { RenderedPage } from '../../../../platform/page/document.ts';
import { renderFormPage } from '../../../../platform/page/form-page.ts';
import { type Html, html } from '../../../../platform/page/html.ts';
import { PLOT_STYLE } from '../../../../platform/page/plots/style.ts';
import { SIGN } from '../../../../platform/page/sign.ts';
import { TIMELINE_STYLE } from '../../parts/timeline.ts';
import { type AccountPage, NAVIGATION, type Visitor } from '../response.ts';
import { csrfField } from './parts.ts';

/** Returns the document of a page and its headers. */
export function renderAccountPage(page: AccountPage, notice: string | null): RenderedPage {
  const { title, visitor, body, refresh } = page;
  return renderFormPage({
    title: `${title} – Countersign`,
    header: visitor === null ? plainHeader() : navigation(page, visitor),
    body: html`<div id="content" tabindex="-1">\n${body}\n</div>`,
    notice,
    styles: [PLOT_STYLE, TIMELINE_STYLE],
    ...(refresh === undefined ? {} : { refresh }),
  });
}

function plainHeader(): Html {
  return html`<header class="top"><div><a class="brand" href="/account">${SIGN} Countersign</a></div></header>`;
}

function navigation({ current }: AccountPage, visitor: Visitor): Html {
  const links = NAVIGATION.map(({ path, name }) =>
    path === current
      ? html`<a href="${path}" aria-current="page">${name}</a>\n`
      : html`<a href="${path}">${name}</a>\n`,
  );
  return html`<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div>
<a class="brand" href="/account">${SIGN} Countersign</a>
<nav aria-label="Account">
${links}</nav>
<form method="post" action="/account/logout">${csrfField(visitor)}<button class="slim">Log out</button></form>
</div></header>`;
}
