import { Elysia } from 'elysia';
import { PUBLIC_READ, responses } from '../../http/schema.ts';
import { clockErrors } from '../../log/clock/errors.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { getLeaderboard, type LeaderboardContext } from './get-leaderboard.ts';
import { LeaderboardQuery, LeaderboardResponse } from './schema.ts';

export const reputationRoutes = (context: LeaderboardContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Reputation'] })
    .use(open)
    .get('/api/v1/leaderboard', ({ query }) => getLeaderboard(context, query), {
      open: 'publicReads',
      query: LeaderboardQuery,
      response: responses({ 200: LeaderboardResponse }, PUBLIC_READ, clockErrors.clock_wrong),
      detail: { operationId: 'getLeaderboard', security: [] },
    });
