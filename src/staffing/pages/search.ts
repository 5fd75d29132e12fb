import { html } from '../../platform/page/html.ts';
import { search } from '../clinicians/search.ts';
import { type Entered, enteredIn, placeIn, searchOf } from './entered.ts';
import { registryIn } from './keys.ts';
import { registrySource, registryTiles } from './page/registry.ts';
import { searchForm } from './page/search-form.ts';
import type { Problem } from './problem.ts';
import type { PageOrRedirect, PageResponse } from './response.ts';
import { nothingFound, resultsPart, searchProblem, titleOf } from './results.ts';
import type { Exchange, PageSite } from './site.ts';

const NPI = /^\d{10}$/;

/** Returns `/`: the search form, with the results of the search that the URL has. */
export function searchPage(site: PageSite, exchange: Exchange): Promise<string> {
  const { searchParams } = new URL(exchange.request.url);
  const entered = enteredIn(searchParams);
  return site.show(
    exchange,
    entered !== null,
    () => (entered === null ? emptyForm(site) : resultsPage(site, entered, searchParams)),
    (problem) => refused(site, entered ?? {}, problem),
  );
}

async function emptyForm({ staffing }: PageSite): Promise<PageResponse> {
  const info = await registryIn(staffing);
  return {
    title: 'Search',
    isSignedIn: true,
    body: html`<h1>Search clinicians</h1>
${searchForm({}, {})}${info === null ? null : registryTiles(info, staffing.clock.now())}${registrySource(info, false)}`,
  };
}

/** @throws ApiError as a search of the API */
async function resultsPage(
  { staffing }: PageSite,
  entered: Entered,
  parameters: URLSearchParams,
): Promise<PageOrRedirect> {
  const { surname } = entered;
  if (surname !== undefined && NPI.test(surname)) return { location: `/clinicians/${surname}` };
  const place = placeIn(parameters);
  const list = await search(staffing, searchOf(entered, place.cursor));
  const isEmpty = list.data.length === 0 && list.next_cursor === null && place.cursor === null;
  return {
    title: titleOf(entered),
    isSignedIn: true,
    body: html`<h1>Search clinicians</h1>
${searchForm(entered, {})}${isEmpty ? nothingFound(entered, list) : resultsPart(entered, place, list)}${registrySource(await registryIn(staffing))}`,
  };
}

async function refused({ staffing }: PageSite, entered: Entered, problem: Problem): Promise<PageResponse> {
  return {
    title: 'The search failed',
    isSignedIn: true,
    body: html`<h1>Search clinicians</h1>
${searchForm(entered, problem.issues)}${searchProblem(entered, problem)}${registrySource(await registryIn(staffing))}`,
  };
}
