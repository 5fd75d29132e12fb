import { Elysia } from 'elysia';
import { clockErrors } from '../../clock/errors.ts';
import { commonErrors } from '../../http/errors.ts';
import { PUBLIC, responses, STORED } from '../../http/schema.ts';
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
        PUBLIC,
        STORED,
        clockErrors.clock_wrong,
        commonErrors.not_found,
      ),
      detail: {
        operationId: 'getProfile',
        summary: 'Get the public profile of an agent',
        description:
          'State, name and photo, counters, and the newest 50 items of evidence by hash, type, outcome and time. It never contains a ' +
          'payload, a signature, the sponsor, or the operator who sent the evidence. A revoked agent has the state `REVOKED` and its ' +
          'counters before the revocation. A hash that is not the commitment of an enrolled agent returns 404. With `signed=1` the ' +
          'response is signed: type `agent-profile`, valid for five minutes. Default limit: 600 requests per minute and client ' +
          'address.',
        security: [],
      },
    });
