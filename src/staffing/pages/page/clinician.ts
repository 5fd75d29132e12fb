import { type Html, html } from '../../../platform/page/html.ts';
import type { Clinician } from '../../clinicians/public-clinician.ts';

/** Returns a clinician's name, the surname first. */
export function nameOf({
  last_name,
  first_name,
  middle_name,
  suffix,
}: Pick<Clinician, 'last_name' | 'first_name' | 'middle_name' | 'suffix'>): string {
  const firstNames = [first_name, middle_name, suffix].filter((part) => part !== null).join(' ');
  return firstNames === '' ? last_name : `${last_name}, ${firstNames}`;
}

/** Returns where a clinician practices, such as `AUSTIN, TX 78701`. */
export function placeOf({
  city,
  state,
  postal_code,
}: Pick<Clinician, 'city' | 'state' | 'postal_code'>): string {
  const region = [state, postal_code].filter((part) => part !== null).join(' ');
  return [city ?? '', region].filter((part) => part !== '').join(', ') || 'not stated';
}

/**
 * Returns the public record of a clinician. @param isSample whether the clinician is made up, so that no
 * other registry has it
 */
export function clinicianRecord(clinician: Clinician, isSample: boolean): Html {
  const { npi, credential, specialty, specialties, enumerated_on, last_updated_on } = clinician;
  const rows = specialties.map(
    ({ code, name, primary }) =>
      html`<tr><th scope="row" class="name">${name ?? code}${
        primary ? html` <span class="tag info">primary</span>` : null
      }</th><td data-label="Code" class="hash">${code}</td></tr>\n`,
  );
  const facts: [name: string, value: Html | string | null][] = [
    ['NPI', npi],
    ['Status', clinician.status],
    ['Credential', credential],
    ['Practice location', placeOf(clinician)],
    ['Profession', specialty?.classification ?? null],
    ['Group', specialty?.grouping ?? null],
    ['NPI assigned', enumerated_on],
    ['Last updated', last_updated_on],
  ];
  return html`<section class="card">
<dl class="facts">
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value ?? html`<span class="soft">not stated</span>`}</dd>\n`)}</dl>
</section>
<section class="card"><h2>Specialties</h2>
${
  rows.length === 0
    ? html`<p class="empty">None are registered.</p>`
    : html`<table class="list stacked"><caption class="hidden">Specialties</caption>
<thead><tr><th scope="col">Specialty</th><th scope="col">NUCC code</th></tr></thead>
<tbody>
${rows}</tbody></table>`
}</section>
${isSample ? null : html`<p><a href="https://npiregistry.cms.hhs.gov/provider-view/${npi}" rel="noreferrer">This NPI in the registry of CMS</a></p>\n`}`;
}
