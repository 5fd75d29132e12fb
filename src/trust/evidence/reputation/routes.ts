import { Elysia } from 'elysia';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { getLeaderboard, type LeaderboardContext } from './get-leaderboard.ts';
import { LeaderboardQuery, LeaderboardResponse } from './schema.ts';

export const reputationRoutes = (context: LeaderboardContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Reputation'] })
    .use(open)
    .get('/api/v1/leaderboard', ({ query }) => getLeaderboard(context, query), {
      open: 'publicReads',
      query: LeaderboardQuery,
      response: { 200: LeaderboardResponse },
      detail: { operationId: 'getLeaderboard', security: [] },
    });
