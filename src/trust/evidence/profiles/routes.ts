import { Elysia } from 'elysia';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC_READ, responses } from '../../http/schema.ts';
import { clockErrors } from '../../log/clock/errors.ts';
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
      response: responses(
        { 200: ProfileResponse },
        PUBLIC_READ,
        clockErrors.clock_wrong,
        commonErrors.not_found,
      ),
      detail: { operationId: 'getProfile', security: [] },
    });
