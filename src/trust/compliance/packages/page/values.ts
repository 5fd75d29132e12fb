import { lazy } from '../../../../platform/lazy.ts';
import { type Content, type Html, html } from '../../../../platform/page/html.ts';
import type { PageSite } from '../../../http/serving.ts';

/** Returns a hash or an identifier in a monospaced font. A line may break in it anywhere. */
export function hash(text: string): Html {
  return html`<span class="hash">${text}</span>`;
}

/** Returns a link with a hash or an identifier in a monospaced font. @param path of this service */
export function hashLink(path: string, text: string): Html {
  return html`<a class="hash" href="${path}">${text}</a>`;
}

/** Returns a time for people, such as `2026-01-31 12:00:00 UTC`, with the exact one in the markup. */
export function moment(at: string): Html {
  return html`<time datetime="${at}">${secondOf(at)} UTC</time>`;
}

/** Returns a time for a column whose heading says UTC. */
export function momentOfColumn(at: string): Html {
  return html`<time datetime="${at}">${secondOf(at)}</time>`;
}

/** Formats a timestamp of the service to the second, like `2026-01-31 12:00:00`. */
function secondOf(at: string): string {
  return at.slice(0, 19).replace('T', ' ');
}

/** Returns a period, whose end is not a part of it. */
export function shownPeriod({ from, to }: { from: string; to: string }): Html {
  return html`${moment(from)} to ${moment(to)}`;
}

const format = lazy(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 }));

/** Formats a number with commas between groups of three digits and at most four decimals. */
export function grouped(value: number): string {
  return format().format(value);
}

/** Returns a count with its noun, like `1 item` or `1,200 items`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** Returns the words of a name in a document: `receipts_failed` is `receipts failed`. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Returns a list of names and values. */
export function factList(facts: readonly (readonly [name: string, value: Content])[]): Html {
  return html`<dl class="facts">
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`;
}

/**
 * Returns a link that saves a document. The page contains the document, so that it is exactly the one that
 * the page shows.
 *
 * @param text the document as the API returns it
 * @param name the name of its file without `.json`
 */
export function documentLink(text: string, name: string): Html {
  const data = Buffer.from(text, 'utf8').toString('base64');
  return html`<a class="screen" download="${name}.json" href="data:application/json;base64,${data}">Download the document.</a>`;
}

/**
 * Returns the page that verifies a document of this service in the browser.
 * @param document a path of the API
 */
export function verifyPath(document: string): string {
  // A query may contain slashes (RFC 3986, 3.4), and pages have many of these links.
  return `/verify?document=${encodeURIComponent(document).replaceAll('%2F', '/')}`;
}

/**
 * Returns the name of something with a page of the explorer, as a link to it if the service has an explorer.
 * @param folder the path before the name
 */
export function explorerLink(
  { hasExplorer }: PageSite,
  folder: '/agents/' | '/clusters/',
  name: string,
): Html {
  return hasExplorer ? hashLink(`${folder}${encodeURIComponent(name)}`, name) : hash(name);
}
