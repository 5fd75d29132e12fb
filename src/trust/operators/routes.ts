import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import type { ContextOf } from '../http/serving.ts';
import type { Principals } from './auth/authenticate.ts';
import { SESSION_COOKIE, sessionToken } from './auth/credential.ts';
import type { RouteAuth } from './auth/route-auth.ts';
import { createApiKey } from './create-api-key.ts';
import { deleteApiKey } from './delete-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { openSession } from './log-in.ts';
import { endSession } from './log-out.ts';
import type { LastingActs } from './restored/lasting-acts.ts';
import {
  ApiKeyListQuery,
  ApiKeyListResponse,
  ApiKeyPath,
  DeletedApiKeyResponse,
  EndedSessionResponse,
  NewApiKeyRequest,
  NewApiKeyResponse,
  SessionResponse,
} from './schema.ts';
import { SESSION_SECONDS } from './sessions.ts';

/** The parts of the service that are used here. */
interface Context {
  store: Store;
  clock: Clock;
  ids: Ids;
  principals: Principals;
  cursors: Cursors;
  acts: LastingActs;
}

export const apiKeyRoutes = (trust: Context, { managing }: RouteAuth) =>
  new Elysia({ tags: ['Operator'] })
    .use(managing)
    .get('/api/v1/operator/api-keys', ({ principal, query }) => listApiKeys(trust, principal, query), {
      keyed: 'issuer',
      query: ApiKeyListQuery,
      response: { 200: ApiKeyListResponse },
      detail: { operationId: 'listApiKeys' },
    })
    .post(
      '/api/v1/operator/api-keys',
      async ({ body, principal, once, set }) => {
        const made = await createApiKey(trust, principal, body ?? {}, once);
        set.status = 201;
        return made;
      },
      {
        keyed: 'issuer',
        body: NewApiKeyRequest,
        response: { 201: NewApiKeyResponse },
        detail: { operationId: 'createApiKey', 'x-optional-body': true, 'x-idempotent': true },
      },
    )
    .delete(
      '/api/v1/operator/api-keys/:keyHash',
      ({ params, principal }) => deleteApiKey(trust, principal, params.keyHash),
      {
        keyed: 'revocation',
        params: ApiKeyPath,
        response: { 200: DeletedApiKeyResponse },
        detail: { operationId: 'deleteApiKey' },
      },
    );

/**
 * Returns the routes of sessions.
 * @param secure whether clients use https, so that the cookie gets the Secure attribute
 */
export const sessionRoutes = (
  trust: ContextOf<typeof openSession> & ContextOf<typeof endSession>,
  { keyed }: RouteAuth,
  secure: boolean,
) =>
  new Elysia({ tags: ['Operator'] })
    .use(keyed)
    .post(
      '/api/v1/operator/session',
      async ({ request, principal, cookie, set }) => {
        // A session that could open the next one would never expire.
        if (!request.headers.has('authorization')) {
          throw commonErrors.forbidden({
            message: 'A session cannot open another session. Send an API key.',
          });
        }
        const { token, response } = await openSession(trust, principal);
        cookie[SESSION_COOKIE]?.set({
          value: token,
          httpOnly: true,
          sameSite: 'lax',
          secure,
          path: '/',
          maxAge: SESSION_SECONDS,
        });
        set.status = 201;
        return response;
      },
      {
        keyed: 'session',
        response: { 201: SessionResponse },
        detail: { operationId: 'openSession' },
      },
    )
    .delete(
      '/api/v1/operator/session',
      async ({ request, principal, cookie }) => {
        const ended = await endSession(trust, principal, sessionToken(request));
        cookie[SESSION_COOKIE]?.remove();
        return ended;
      },
      {
        keyed: 'logout',
        response: { 200: EndedSessionResponse },
        detail: { operationId: 'endSession' },
      },
    );
