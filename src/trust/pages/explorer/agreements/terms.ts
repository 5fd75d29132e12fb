import { type Html, html } from '../../../../platform/page/html.ts';
import { counted } from '../../../compliance/packages/page/values.ts';
import { visibleText } from '../../../evidence/cards/svg.ts';
import { strangerText } from '../../parts/values.ts';

/**
 * The most bytes of stored terms that a page parses: twice the longest terms. All 31 offers of a
 * proposal can have half a megabyte.
 */
const PARSED_BYTES = 32_768;
/** The most bytes of markup for the newest terms, and for what all offers changed. */
const TERMS_BYTES = 9_000;
const CHANGES_BYTES = 5_000;
/** The most changes of one offer that are shown. */
const MOST_CHANGES = 4;

/** The members of an offer. */
export type Terms = ReadonlyMap<string, unknown>;
export const NO_TERMS: Terms = new Map();

/**
 * Returns the terms of steps, parsed; null for a step without terms, and for the oldest ones if all are too
 * much.
 * @param texts the terms as JSON, oldest first
 */
export function parsedTerms(texts: readonly (string | null)[]): (Terms | null)[] {
  let left = PARSED_BYTES;
  const newestFirst = texts.toReversed().map((text) => {
    left -= text?.length ?? 0;
    if (text === null || left < 0) return null;
    return new Map<string, unknown>(Object.entries(Object(JSON.parse(text))));
  });
  return newestFirst.toReversed();
}

/** Returns terms as a table, as far as a page has room for them. */
export function termsTable(terms: Terms): Html {
  const rows = within(
    TERMS_BYTES,
    terms,
    ([name, value]) =>
      html`<tr><th scope="row">${termName(name)}</th><td>${termValue(value, 80)}</td></tr>\n`,
  );
  return html`<table class="list stacked"><caption class="hidden">The newest terms</caption><tbody>
${rows}</tbody></table>
${rest(terms.size - rows.length)}`;
}

/** Shows what offers changed, within what a page has room for. */
export class ChangeList {
  private left = CHANGES_BYTES;

  /**
   * Returns what an offer changed.
   * @param terms null if all terms are too much for a page
   * @param before the terms of the offer before, empty for the first offer; null if they are too much
   */
  of(terms: Terms | null, before: Terms | null): Html {
    if (terms === null || before === null)
      return html`<p class="soft">The terms are too long to be compared here.</p>`;
    const changed = changesOf(terms, before);
    if (changed.length === 0) return html`<p class="soft">The terms are the same.</p>`;
    const rows = within(this.left, changed.slice(0, MOST_CHANGES), change);
    for (const { text } of rows) this.left -= Buffer.byteLength(text);
    return html`<dl class="facts">
${rows}</dl>
${rest(changed.length - rows.length)}`;
  }
}

/** A member that an offer has set, changed or, without a value, removed. */
interface Change {
  name: string;
  value?: unknown;
  before?: unknown;
}

function changesOf(terms: Terms, before: Terms): Change[] {
  const set = [...terms].flatMap(([name, value]): Change[] => {
    if (!before.has(name)) return [{ name, value }];
    const old = before.get(name);
    return textOf(old) === textOf(value) ? [] : [{ name, value, before: old }];
  });
  return [...set, ...[...before].flatMap(([name, old]) => (terms.has(name) ? [] : [{ name, before: old }]))];
}

function change({ name, value, before }: Change): Html {
  const old =
    before === undefined ? null : html` <span class="soft">(before: ${termValue(before, 24)})</span>`;
  return html`<dt>${termName(name)}</dt><dd>${value === undefined ? 'removed' : termValue(value, 24)}${old}</dd>\n`;
}

function termName(name: string): Html {
  return strangerText(name, 16);
}

function termValue(value: unknown, width: number): Html {
  const json = textOf(value);
  const text = strangerText(visibleText(json) === null ? 'no visible text' : json, width);
  return typeof value === 'object' ? html`<span class="hash">${text}</span>` : text;
}

/** Returns a text as it is, and the JSON of any other value. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function rest(count: number): Html | null {
  return count === 0
    ? null
    : html`<p class="soft">${counted(count, 'more member')} in the JSON document.</p>`;
}

/** Returns the markup of values, as many as there is room for. */
function within<Value>(bytes: number, values: Iterable<Value>, markup: (value: Value) => Html): Html[] {
  const shown = [];
  let left = bytes;
  for (const value of values) {
    const one = markup(value);
    left -= Buffer.byteLength(one.text);
    if (left < 0) break;
    shown.push(one);
  }
  return shown;
}
