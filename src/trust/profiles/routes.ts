import { Elysia } from 'elysia';
import type { TrustAuth } from '../auth.ts';
import { PUBLIC, responses } from '../http/schema.ts';
import { getProfile, type ProfileContext } from './profile.ts';
import { ProfilePath, ProfileResponse } from './schema.ts';

export const profileRoutes = (context: ProfileContext, { open }: TrustAuth) =>
  new Elysia({ tags: ['Reputation'] })
    .use(open)
    .get('/api/v1/profiles/:hash', ({ params }) => getProfile(context, params.hash), {
      open: 'publicReads',
      params: ProfilePath,
      response: responses({ 200: ProfileResponse }, PUBLIC, 'not_found'),
      detail: {
        operationId: 'getProfile',
        summary: 'What anyone may know of an agent',
        description:
          'Its state, how it presents itself, what its work comes to, and its newest 50 items of evidence by hash, type, outcome ' +
          'and time. Never a payload, a signature, its sponsor, or who brought the evidence. A revoked agent is shown with state ' +
          '`REVOKED` and with what was counted before. A hash that is not the commitment of an agent that completed enrollment is ' +
          'a 404, however it is spelt. By default 600 requests a minute and address.',
        security: [],
      },
    });
