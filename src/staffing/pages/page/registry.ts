import { type Html, html } from '../../../platform/page/html.ts';
import { DAY_MS } from '../../../platform/time/units.ts';
import type { RegistryInfo } from '../../registry/open.ts';

/** Returns a number with commas. */
function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

/** Returns a count and its noun, such as `1 clinician` or `2,000 clinicians`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/**
 * Returns how old data is in days, as a sentence; null for data of the future. @param now in milliseconds
 * since 1970
 */
function ageOf(asOf: string, now: number): string | null {
  const days = Math.floor((now - Date.parse(asOf)) / DAY_MS);
  if (!(days >= 0)) return null;
  return days === 0 ? 'today' : `${counted(days, 'day')} ago`;
}

/**
 * Returns the facts of the registry: how many clinicians, as of when, real or made up. @param now in
 * milliseconds since 1970
 */
export function registryTiles({ records, as_of, sample }: RegistryInfo, now: number): Html {
  const age = sample ? null : ageOf(as_of, now);
  return html`<dl class="tiles">
<div><dt>Clinicians</dt><dd>${grouped(records)}</dd></div>
<div><dt>Data as of</dt><dd class="word">${as_of}${age === null ? null : html`<small>${age}</small>`}</dd></div>
<div><dt>Data</dt><dd class="word">${sample ? html`Sample<small>made-up clinicians</small>` : html`Public<small>NPPES, published by CMS</small>`}</dd></div>
</dl>
`;
}

/**
 * Returns the source of the data and the notice of the taxonomy. @param info null when the registry is not
 * available
 * @param withFacts whether it also says how many clinicians the registry has and how old it is, on a page
 * that does not say so elsewhere
 */
export function registrySource(info: RegistryInfo | null, withFacts = true): Html {
  const facts =
    info === null || !withFacts ? null : html`${counted(info.records, 'clinician')} as of ${info.as_of}. `;
  return html`<p class="foot">${facts}${
    info?.sample === true
      ? 'The clinicians are made up; their NPIs begin with 2. A real registry comes from'
      : 'Source:'
  } the National Plan and Provider Enumeration System (NPPES), which the Centers for Medicare &amp; Medicaid Services (CMS) publish.
Specialties: Health Care Provider Taxonomy of the National Uniform Claim Committee (NUCC), © American Medical Association for the NUCC.</p>`;
}
