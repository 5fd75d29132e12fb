import { printable } from '../../terminal/printable.ts';

/** A longer text of a document is cut. */
const TEXT_MAX = 1000;

type Child = Node | string | null;

/** Returns an element. Texts become text nodes: nothing that a document says is markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Returns text that may quote a document: cut, isolated, and with its invisible characters escaped. */
export function quoted(text: string, max = TEXT_MAX): HTMLElement {
  const shown = printable(text.slice(0, max).toWellFormed());
  const left = text.length - max;
  return element('bdi', {}, left > 0 ? `${shown}… (${left} more characters)` : shown);
}

/** Returns a list, or null for no items. */
export function listOf(
  items: readonly Child[],
  attributes: Readonly<Record<string, string>> = {},
): HTMLElement | null {
  if (items.length === 0) return null;
  return element('ul', attributes, ...items.map((item) => element('li', {}, item)));
}

/** Returns an element of the page by its id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}
