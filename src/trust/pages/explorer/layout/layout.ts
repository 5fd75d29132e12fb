import { type RenderedPage, renderDocument } from '../../../../platform/page/document.ts';
import { FORM_STYLE } from '../../../../platform/page/form-style.ts';
import { type Html, html } from '../../../../platform/page/html.ts';
import { PLOT_STYLE } from '../../../../platform/page/plots/style.ts';
import { SIGN } from '../../../../platform/page/sign.ts';
import { STYLE } from '../../../../platform/page/style.ts';
import type { Shown } from '../shown.ts';
import { ENTITY_STYLE } from './entity-style.ts';
import { EXPLORER_STYLE } from './style.ts';

/** The style of the explorer, as one element. */
const OWN_STYLE = EXPLORER_STYLE + ENTITY_STYLE;

/** What all pages have in common. */
export interface Frame {
  navigation: readonly { path: string; name: string }[];
  /** The name of the installation: the common part of the origins of its logs. */
  service: string;
  version: string;
  notice: string | null;
}

/** The pages that the navigation leads to besides those of the explorer. */
const OTHERS = [
  { path: '/account', name: 'Account' },
  { path: '/swagger', name: 'API' },
];

/**
 * Returns the document of a page and its headers.
 * @param current the path of the page, as its route declares it; null for none
 * @param searched the text of the search box
 */
export function renderExplorerPage(
  { title, body, searched = '' }: Shown,
  current: string | null,
  frame: Frame,
): RenderedPage {
  return renderDocument({
    title: `${title} – Countersign`,
    styles: [STYLE, FORM_STYLE, PLOT_STYLE, OWN_STYLE],
    before: html`${header(current, searched, frame)}\n`,
    body: html`<div id="content" tabindex="-1">\n${body}\n</div>`,
    after: html`${footer(frame)}\n`,
    notice: frame.notice,
    formAction: "'self'",
  });
}

function header(current: string | null, searched: string, { navigation }: Frame): Html {
  const links = [...navigation, ...OTHERS].map(({ path, name }) => {
    const isOver = path !== '/' && current?.startsWith(`${path}/`) === true;
    const mark = path === current ? html` aria-current="page"` : isOver ? html` aria-current="true"` : null;
    return html`<a href="${path}"${mark}>${name}</a>\n`;
  });
  return html`<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div>
<a class="brand" href="/">${SIGN} Countersign</a>
<form class="find" role="search" action="/search">
<label class="hidden" for="q">An identifier, hash or commitment</label>
<input type="search" id="q" name="q" value="${searched}" maxlength="300" placeholder="Receipt, agent, hash…" autocomplete="off" spellcheck="false" autocapitalize="off">
<button class="slim">Search</button>
</form>
<nav aria-label="Explorer">
${links}</nav>
</div></header>`;
}

function footer({ service, version }: Frame): Html {
  return html`<footer class="foot"><div>
<p><strong>${service}</strong> · Countersign ${version} · all times are UTC</p>
<p><a href="/swagger">API</a> <a href="/openapi.json">OpenAPI document</a> <a href="/api/v1/transparency/keys">Signing keys</a> <a href="/api/health">Health</a></p>
</div></footer>`;
}
