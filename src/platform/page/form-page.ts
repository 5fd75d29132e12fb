import { type RenderedPage, renderDocument } from './document.ts';
import { FORM_STYLE } from './form-style.ts';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';

/**
 * A page with forms: it belongs to one visitor, runs no script but its own and sends its forms to its own
 * origin only.
 */
export interface FormPage {
  title: string;
  /** The bar above the content; null for none. */
  header: Html | null;
  body: Html;
  notice: string | null;
  /**
   * Loads a page after some seconds: the URL, or this page again without one. 0 seconds is a redirect that no
   * form policy stops.
   */
  refresh?: { seconds: number; url?: string };
  /** Styles besides those of every page with forms. */
  styles?: readonly string[];
  /** The path of its script, without which it must work too. */
  script?: string;
}

/**
 * The headers of a page with forms, of its errors too. No cache stores it. Browsers state the origin of a
 * form only with this referrer policy: with `no-referrer`, which other responses have, they send
 * `Origin: null`.
 */
const FORM_PAGE_HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' };

/**
 * Returns the document of a page with forms and its headers. The content security policy allows no frame
 * around it.
 */
export function renderFormPage({
  title,
  header,
  body,
  notice,
  refresh,
  styles = [],
  script,
}: FormPage): RenderedPage {
  const content = refresh === undefined ? '' : contentOf(refresh);
  const { text, headers } = renderDocument({
    title,
    styles: [STYLE, FORM_STYLE, ...styles],
    head: refresh === undefined ? null : html`<meta http-equiv="refresh" content="${content}">\n`,
    before: header === null ? null : html`${header}\n`,
    body,
    notice,
    formAction: "'self'",
    script: script ?? null,
  });
  return { text, headers: { ...headers, ...FORM_PAGE_HEADERS } };
}

function contentOf({ seconds, url }: NonNullable<FormPage['refresh']>): string {
  return url === undefined ? String(seconds) : `${seconds};url=${url}`;
}
