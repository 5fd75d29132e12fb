import { Elysia } from 'elysia';
import { SignedQuery } from '../../log/keys/signing/signed-responses.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import { getProfile, type ProfileContext } from './get.ts';
import { ProfilePath, ProfileResponse } from './schema.ts';

export const profileRoutes = (context: ProfileContext, { open }: RouteAuth) =>
  new Elysia({ tags: ['Reputation'] })
    .use(open)
    .get('/api/v1/profiles/:hash', ({ params, query }) => getProfile(context, params.hash, query), {
      open: 'publicReads',
      params: ProfilePath,
      query: SignedQuery,
      response: { 200: ProfileResponse },
      detail: { operationId: 'getProfile', security: [] },
    });
