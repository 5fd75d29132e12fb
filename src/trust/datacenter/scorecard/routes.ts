import { Elysia } from 'elysia';
import { inForms, NotModified } from '../../../platform/http/schema.ts';
import { FORM_HEADERS, PageText, wantedForm } from '../../../platform/page/negotiation.ts';
import type { PageSite } from '../../http/serving.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { ClusterPath } from '../schema.ts';
import { getScorecard, ScorecardCache, type ScorecardContext, scorecardOf } from './get-scorecard.ts';
import { ScorecardQuery, ScorecardText } from './schema.ts';

const SCORECARD = inForms([ScorecardText, PageText], 'The scorecard as JSON; or as a page for people.');

export const scorecardRoutes = (trust: ScorecardContext, { open }: RouteAuth, site: PageSite) => {
  const cache = new ScorecardCache();
  return new Elysia({ tags: ['Data centers'] }).use(open).get(
    '/api/v1/datacenter/clusters/:id/scorecard',
    async ({ params: { id }, query, request, set, status }) => {
      const text = await getScorecard(trust, cache, id, query);
      const form = wantedForm(request, set.headers, text.etag);
      if (form === null) return status(304, undefined);
      if (form === 'json') return text.json;
      // Loaded with the first page, since most clients are programs.
      const { scorecardPage } = await import('../page/scorecard-page.ts');
      const page = scorecardPage(text.json, scorecardOf(text), site);
      Object.assign(set.headers, page.headers);
      return page.text;
    },
    {
      open: 'publicReads',
      params: ClusterPath,
      query: ScorecardQuery,
      response: { 200: SCORECARD, 304: NotModified },
      detail: { operationId: 'getScorecard', 'x-response-headers': FORM_HEADERS, security: [] },
    },
  );
};
