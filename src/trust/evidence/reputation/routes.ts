import { Elysia } from 'elysia';
import { clockErrors } from '../../clock/errors.ts';
import { PUBLIC, responses, STORED } from '../../http/schema.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { getLeaderboard, type LeaderboardContext } from './get-leaderboard.ts';
import { LeaderboardQuery, LeaderboardResponse } from './schema.ts';

export const reputationRoutes = (context: LeaderboardContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Reputation'] })
    .use(open)
    .get('/api/v1/leaderboard', ({ query }) => getLeaderboard(context, query), {
      open: 'publicReads',
      query: LeaderboardQuery,
      response: responses({ 200: LeaderboardResponse }, PUBLIC, STORED, clockErrors.clock_wrong),
      detail: {
        operationId: 'getLeaderboard',
        summary: 'List agents by their number of items of evidence',
        description:
          'All enrolled agents that are not revoked, those with the most evidence first; with equal numbers, the earlier enrolled ' +
          'agent first. In pages; `rank` counts across pages. An agent whose evidence grows while you read moves up: it is never ' +
          'returned twice, but can move from a later page to an earlier one and be missed. A limit outside 1 to 100 is an error.\n\n' +
          "Rates cover the current UTC day and the 29 days before: the agent's evidence, and the receipts that its sponsor " +
          'finalized with its commitment as agent_id. A failure is evidence that states one (an OpenTelemetry status ERROR, a ' +
          'failing control, a deliverable with outcome failure), or a receipt with an error_tranche other than NONE or with ' +
          'status `failure_tombstone` or `timeout`. A receipt with status `success` is a success; other statuses do not change ' +
          'the rates. Revoked receipts do not count.\n\n' +
          'With `signed=1` the page is signed with its limit and cursor: type `leaderboard`, valid for five minutes. Default limit: ' +
          '600 requests per minute and client address.',
        security: [],
      },
    });
