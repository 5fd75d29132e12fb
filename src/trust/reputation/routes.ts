import { Elysia } from 'elysia';
import type { TrustAuth } from '../auth.ts';
import { PUBLIC, responses } from '../http/schema.ts';
import { getLeaderboard, type LeaderboardContext } from './leaderboard.ts';
import { LeaderboardQuery, LeaderboardResponse } from './schema.ts';

export const reputationRoutes = (context: LeaderboardContext, { open }: TrustAuth) =>
  new Elysia({ tags: ['Reputation'] })
    .use(open)
    .get('/api/v1/leaderboard', ({ query }) => getLeaderboard(context, query), {
      open: 'publicReads',
      query: LeaderboardQuery,
      response: responses({ 200: LeaderboardResponse }, PUBLIC),
      detail: {
        operationId: 'getLeaderboard',
        summary: 'Agents by how much evidence they have',
        description:
          'Every enrolled agent that is not revoked, those with the most evidence first; of two with as much, who enrolled ' +
          'first. A page at a time, and `rank` goes on over the pages. An agent whose evidence grows while you read moves up: it ' +
          'is never shown twice, but may pass the place where you are. A limit outside 1 to 100 is refused, not clamped.\n\n' +
          "Rates are over the present UTC day and the 29 before, of the agent's evidence and of the receipts that its sponsor " +
          'finalized with its commitment as agent_id. A failure is evidence that says so (an OpenTelemetry status ERROR, a ' +
          'failing control, a deliverable with outcome failure), or a receipt with an error_tranche other than NONE or with status ' +
          '`failure_tombstone` or `timeout`. A receipt with status `success` is a success; one with another status changes no ' +
          'rate. A receipt that is revoked no longer counts. By default 600 requests a minute and address.',
        security: [],
      },
    });
