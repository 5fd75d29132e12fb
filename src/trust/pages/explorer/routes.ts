import { Elysia } from 'elysia';
import { detailOfPage } from '../../../platform/http/request/page-route.ts';
import { PAGES } from './pages.ts';
import { explorerSettings } from './settings.ts';
import { type ExplorerServing, ExplorerSite } from './site.ts';

/** Returns the routes of the explorer; none if it is off. */
export function explorerRoutes(serving: ExplorerServing) {
  const visibility = explorerSettings.explorer.in(serving.config);
  if (visibility === 'off') return [];
  const site = new ExplorerSite(serving, PAGES);
  return PAGES.map((page) => {
    // What is public stays so: a browser is not led from it to a page that demands a session.
    const shows = visibility === 'public' ? page.shows : [];
    const detail = detailOfPage({ shows, errorPage: (failed) => site.errorPage(failed) });
    return new Elysia().get(
      page.path,
      ({ request, set, params, query }) => site.send({ request, set, params, query }, page),
      { detail },
    );
  });
}
