import { type Html, html } from '../../platform/page/html.ts';
import { alert } from '../../platform/page/parts.ts';
import type { ClinicianList } from '../clinicians/schema.ts';
import { type Entered, type ResultsPlace, SEARCH_FIELDS, type SearchField, searchPath } from './entered.ts';
import { nameOf, placeOf } from './page/clinician.ts';
import { counted } from './page/registry.ts';
import { STATE_NAMES } from './page/states.ts';
import type { Problem } from './problem.ts';

/** The specialties that a search is shown to be understood as. */
const UNDERSTOOD = 4;

/** The words for a filter in "without …". */
const FILTER_NAMES: Readonly<Record<SearchField, string>> = {
  surname: 'surname',
  match: 'whole surnames only',
  first_name: 'first name',
  specialty: 'specialty',
  state: 'state',
  city: 'city',
  postal_code: 'ZIP code',
};

/** Returns the results of a search: a table with links to the next and the first page. */
export function resultsPart(
  entered: Entered,
  place: ResultsPlace,
  { data, total, next_cursor, understood_as }: ClinicianList,
): Html {
  const rows = data.map((clinician) => {
    const { npi, specialty, specialties } = clinician;
    const otherSpecialties = specialties.length - 1;
    const path = searchPath(entered, place).slice(1);
    return html`<tr><th scope="row" class="name"><a href="/clinicians/${npi}${path}">${nameOf(clinician)}</a>${
      clinician.credential === null ? null : html` <span class="soft">${clinician.credential}</span>`
    }</th>
<td class="name" data-label="Specialty">${specialty?.name ?? specialty?.code ?? 'none'}${otherSpecialties > 0 ? html` <span class="soft nowrap">and ${otherSpecialties} more</span>` : null}</td>
<td class="name" data-label="Place">${placeOf(clinician)}</td><td class="nowrap" data-label="NPI">${npi}</td></tr>\n`;
  });
  const isFirst = place.cursor === null;
  const first = isFirst
    ? null
    : html`<a class="button slim" href="${searchPath(entered)}#results">First page</a>\n`;
  const next =
    next_cursor === null
      ? null
      : html`<a class="button slim" rel="next" href="${searchPath(entered, { cursor: next_cursor, page: place.page + 1 })}#results">Next page</a>\n`;
  return html`<section class="results" aria-labelledby="results">
<h2 id="results" tabindex="-1">${total === undefined ? 'Clinicians' : counted(total, 'clinician')}</h2>
${understood(understood_as)}${orderOf(entered)}${
  rows.length === 0
    ? html`<p class="empty">There are no more results.</p>`
    : html`<table class="list stacked"><caption class="hidden">Clinicians, page ${place.page}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Specialty</th><th scope="col">Place</th><th scope="col">NPI</th></tr></thead>
<tbody>
${rows}</tbody></table>
`
}${first === null && next === null ? null : html`<nav class="pages" aria-label="Pages of results"><span>Page ${place.page}</span>\n${first}${next}</nav>\n`}</section>
`;
}

function orderOf({ surname }: Entered): Html | null {
  if (surname === undefined) return null;
  return html`<p class="soft">In order of the name that matches: the surname, a later part of it, or a former name.</p>\n`;
}

function understood(specialties: ClinicianList['understood_as']): Html | null {
  if (specialties === undefined || specialties.length === 0) return null;
  const shown = specialties.slice(0, UNDERSTOOD).map(({ code, name }) => name ?? code);
  const hiddenSpecialties = specialties.length - shown.length;
  return html`<p class="soft">Specialty understood as: ${shown.join('; ')}${hiddenSpecialties > 0 ? `; and ${hiddenSpecialties} more` : null}.</p>\n`;
}

/**
 * Returns what to show when nothing matches: similar surnames, and the search without each of its filters.
 */
export function nothingFound(entered: Entered, { suggestions = [], understood_as }: ClinicianList): Html {
  const names = suggestions.map((surname) => ({ text: surname, path: searchPath({ ...entered, surname }) }));
  const usedFields = SEARCH_FIELDS.filter((field) => entered[field] !== undefined);
  const wider = usedFields.map((field) => {
    const otherFields = Object.fromEntries(
      usedFields.flatMap((other) => (other === field ? [] : [[other, entered[other]]])),
    );
    return { text: `without ${FILTER_NAMES[field]}`, path: searchPath(otherFields) };
  });
  return html`<section class="results" aria-labelledby="results">
<h2 id="results" tabindex="-1">No clinician matches</h2>
${understood(understood_as)}${linkList(html`<h3>Similar surnames</h3>`, names)}${usedFields.length > 1 ? linkList(html`<h3>Search wider</h3>`, wider) : null}</section>
`;
}

/** Returns why a search failed, with links to searches that work. */
export function searchProblem(entered: Entered, { code, message, suggestions }: Problem): Html {
  const links = suggestions.map((specialty) => ({
    text: specialty,
    path: searchPath({ ...entered, specialty }),
  }));
  const first =
    code === 'INVALID_CURSOR'
      ? html`<p><a class="button slim" href="${searchPath(entered)}#results">First page</a></p>`
      : null;
  return html`<div id="results">${alert('bad', html`<p>${message}</p>${first}`)}</div>
${linkList(html`<h2>Did you mean</h2>`, links)}`;
}

function linkList(heading: Html, links: readonly { text: string; path: string }[]): Html | null {
  if (links.length === 0) return null;
  const items = links.map(({ text, path }) => html`<li><a href="${path}#results">${text}</a></li>\n`);
  return html`${heading}\n<ul class="links">\n${items}</ul>\n`;
}

/** Returns the title of a search: what was asked for. */
export function titleOf({ surname, first_name, specialty, state, city, postal_code }: Entered): string {
  const place = [
    city,
    state === undefined ? undefined : (STATE_NAMES[state.toUpperCase()] ?? state),
    postal_code,
  ];
  const parts = [[first_name, surname].filter(Boolean).join(' '), specialty, ...place];
  return parts.filter(Boolean).join(', ') || 'All clinicians';
}
