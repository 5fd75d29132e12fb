import { Elysia } from 'elysia';
import { inForms, NotModified } from '../../../platform/http/schema.ts';
import { FORM_HEADERS, PageText, wantedForm } from '../../../platform/page/negotiation.ts';
import { clockErrors } from '../../clock/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { ClusterPath } from '../schema.ts';
import { getScorecard, ScorecardCache, type ScorecardContext } from './get-scorecard.ts';
import { ScorecardQuery, ScorecardText } from './schema.ts';

const SCORECARD = inForms([ScorecardText, PageText], 'The scorecard as JSON; or as a page for people.');

export const scorecardRoutes = (trust: ScorecardContext, { open }: RouteAuth, isDemonstration: boolean) => {
  const cache = new ScorecardCache();
  return new Elysia({ tags: ['Data centers'] }).use(open).get(
    '/api/v1/datacenter/clusters/:id/scorecard',
    async ({ params: { id }, query, request, set, status }) => {
      const { scorecard, json, etag } = await getScorecard(trust, cache, id, query);
      const form = wantedForm(request, set.headers, etag);
      if (form === null) return status(304, undefined);
      if (form === 'json') return json;
      // Loaded with the first page, since most clients are programs.
      const { scorecardPage } = await import('../page/scorecard-page.ts');
      const page = scorecardPage(json, scorecard, isDemonstration);
      Object.assign(set.headers, page.headers);
      return page.text;
    },
    {
      open: 'publicReads',
      params: ClusterPath,
      query: ScorecardQuery,
      response: responses(
        { 200: SCORECARD, 304: NotModified },
        PUBLIC,
        STORED,
        clockErrors.clock_wrong,
        commonErrors.not_found,
      ),
      detail: {
        operationId: 'getScorecard',
        'x-answer-headers': FORM_HEADERS,
        summary: 'Get the efficiency of a cluster',
        description:
          'PUE, CUE, WUE, REF and ERF as ISO/IEC 30134 defines them, power, temperatures and avoided emissions over a period: by ' +
          'default today and the 364 days before. Hardware-measured, declared and simulated telemetry are three separate members, and no ' +
          'metric mixes them. A metric counts only items that have both of its values. It says its window, how much of the ' +
          'time of all instances it covers, and how many items it counts. It is interim while the window is shorter than 365 days. ' +
          '`energy` has the sums. Avoided emissions (ISO 14064-2) stand next to the emissions and are never subtracted.\n\n' +
          'The scorecard is signed: `content_hash` is the digest of all members but content_hash, signature and kid, and the signature is over ' +
          'its 64 characters. The same scorecard is returned until telemetry arrives, the day ends or the key changes.\n\n' +
          'If Accept prefers text/html, the response is a page for people, to read or to print. It contains the JSON as a download.',
        security: [],
      },
    },
  );
};
