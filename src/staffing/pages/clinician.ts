import { html } from '../../platform/page/html.ts';
import { getClinician } from '../clinicians/get.ts';
import { enteredIn, placeIn, searchPath } from './entered.ts';
import { registryIn } from './keys.ts';
import { clinicianRecord, nameOf } from './page/clinician.ts';
import { registrySource } from './page/registry.ts';
import type { Problem } from './problem.ts';
import type { PageResponse } from './response.ts';
import type { Exchange, PageSite } from './site.ts';

/**
 * Returns `/clinicians/{npi}`: the public record of a clinician. The search that led to it is in the URL, for
 * the way back.
 */
export function clinicianPage(site: PageSite, exchange: Exchange, npi: string): Promise<string> {
  const { searchParams } = new URL(exchange.request.url);
  const entered = enteredIn(searchParams);
  const back =
    entered === null
      ? html`<p><a href="/">Search</a></p>\n`
      : html`<p><a href="${searchPath(entered, placeIn(searchParams))}#results">Back to the results</a></p>\n`;
  return site.show(
    exchange,
    true,
    async (): Promise<PageResponse> => {
      const clinician = await getClinician(site.staffing, npi);
      const info = await registryIn(site.staffing);
      return {
        title: nameOf(clinician),
        isSignedIn: true,
        body: html`<div class="middle">${back}<h1 class="name">${nameOf(clinician)}</h1>
${clinicianRecord(clinician, info?.sample === true)}${registrySource(info)}</div>`,
      };
    },
    async ({ status, message }: Problem): Promise<PageResponse> => {
      const title = status === 404 ? 'No clinician has this NPI' : 'The clinician cannot be shown';
      return {
        title,
        isSignedIn: true,
        body: html`<div class="middle">${back}<h1>${title}</h1>\n<p>${message}</p></div>`,
      };
    },
  );
}
