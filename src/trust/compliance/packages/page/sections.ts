import { type Html, html } from '../../../../platform/page/html.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../proof/encoding/json.ts';
import { parseTimestamp } from '../../../../proof/encoding/timestamp.ts';
import { factList, grouped, moment, wordsOf } from './values.ts';

/**
 * Returns the sections of a package of a cluster. A section has texts, and objects of values: these are the
 * columns of a table, so that a reader compares them.
 */
export function packageSections(sections: JsonObject): Html {
  return html`${Object.entries(sections).map(
    ([name, section]) => html`<section class="together">
<h2>${capitalized(wordsOf(name))}</h2>
${isJsonObject(section) ? sectionOf(section) : shownValue(section)}
</section>
`,
  )}`;
}

function sectionOf(section: JsonObject): Html {
  const members = Object.entries(section);
  const columns = members.filter(([, value]) => isColumn(value)).sort(byMeasurement);
  const texts = members.filter(([, value]) => !isColumn(value));
  const paragraphs = texts.map(
    ([name, value]) =>
      html`<p>${name === 'about' ? null : `${capitalized(wordsOf(name))}: `}${shownValue(value)}</p>\n`,
  );
  return html`${paragraphs}${columns.length === 0 ? null : columnTable(columns)}`;
}

type Column = [name: string, values: JsonValue];

/** Returns whether a member is an object of values, or null instead of one. */
function isColumn(value: JsonValue): boolean {
  return value === null || isJsonObject(value);
}

/** Orders what instruments measured before all else. */
function byMeasurement([left]: Column, [right]: Column): number {
  return Number(right === 'hardware_measured') - Number(left === 'hardware_measured');
}

/** A row of a table: a value, or a member of one that is an object. */
type RowPath = readonly [name: string, member: string | null];

function columnTable(columns: readonly Column[]): Html {
  const heads = columns.map(([name]) => html`<th scope="col">${capitalized(wordsOf(name))}</th>`);
  const rows = pathsOf(columns).map(([name, member]) => {
    const cells = columns.map(([column, values]) => {
      const value = memberOf(memberOf(values, name), member);
      const shown = typeof value === 'number' ? quantity(member ?? name, value) : shownValue(value);
      return html`<td data-label="${capitalized(wordsOf(column))}">${shown}</td>`;
    });
    const inner = member === null || member === 'value' ? null : html`, ${memberName(member)}`;
    return html`<tr><th scope="row">${valueName(name)}${inner}</th>${cells}</tr>\n`;
  });
  return html`<table class="stacked metrics">
<thead><tr><th scope="col">Value</th>${heads}</tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

/** Returns the rows of columns: a value that is an object in any column has a row for each of its members. */
function pathsOf(columns: readonly Column[]): RowPath[] {
  const members = new Map<string, Set<string>>();
  for (const [name, value] of columns.flatMap(([, values]) =>
    isJsonObject(values) ? Object.entries(values) : [],
  )) {
    const known = members.get(name) ?? new Set();
    members.set(name, known);
    if (isJsonObject(value)) for (const member of Object.keys(value)) known.add(member);
  }
  return [...members].flatMap(([name, known]): RowPath[] =>
    known.size === 0 ? [[name, null]] : [...known].sort(valueFirst).map((member) => [name, member]),
  );
}

/** Orders the value of a metric before what limits it. */
function valueFirst(one: string, other: string): number {
  return Number(other === 'value') - Number(one === 'value');
}

/** @param name null for the value itself */
function memberOf(value: JsonValue, name: string | null): JsonValue {
  if (name === null) return value;
  return isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** Abbreviations and units in names of values. */
const SIGNS: Readonly<Record<string, string>> = {
  it: 'IT',
  pue: 'PUE',
  kwh: '(kWh)',
  kg: '(kg)',
  l: '(L)',
  s: '(s)',
};

/** Returns the name of a value for people: `facility_kwh` is `Facility (kWh)`. */
function valueName(name: string): string {
  return capitalized(memberName(name));
}

/** Returns the name of a member for people, without a capital. */
function memberName(name: string): string {
  const words = name.split('_').map((word) => (Object.hasOwn(SIGNS, word) ? SIGNS[word] : word));
  return words.join(' ');
}

/** Shows a quantity with four significant digits, since meters have no more; a count has all. */
function quantity(name: string, value: number): Html {
  const isCount = Number.isInteger(value) && !/_(?:kwh|kg|l)$/.test(name);
  return html`${grouped(isCount ? value : Number(value.toPrecision(4)))}`;
}

function shownValue(value: JsonValue): Html {
  if (typeof value === 'number') return quantity('', value);
  if (value === null) return html`<span class="soft">–</span>`;
  if (typeof value === 'boolean') return html`${value ? 'yes' : 'no'}`;
  if (typeof value === 'string' && parseTimestamp(value) !== null) return moment(value);
  if (Array.isArray(value)) return html`<ul>${value.map((one) => html`<li>${shownValue(one)}</li>`)}</ul>`;
  if (!isJsonObject(value)) return html`${String(value)}`;
  return factList(Object.entries(value).map(([name, one]) => [wordsOf(name), shownValue(one)]));
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
