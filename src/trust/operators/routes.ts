import { Elysia } from 'elysia';
import type { Cursors } from '../../platform/http/pagination/cursor.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Store } from '../../platform/store/store.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { commonErrors } from '../http/errors.ts';
import { KEYED, PUBLIC, responses, STORED, WRITE } from '../http/schema.ts';
import type { Principals } from './auth/principals.ts';
import { SESSION_COOKIE, sessionToken } from './auth/principals.ts';
import type { RouteAuth } from './auth/route-auth.ts';
import { createApiKey } from './create-api-key.ts';
import { deleteApiKey } from './delete-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { openSession } from './log-in.ts';
import { endSession } from './log-out.ts';
import { quotasErrors } from './quotas/errors.ts';
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
}

/** Returns the routes of operators. @param secure whether clients use https, so that the cookie gets the Secure attribute */
export const operatorRoutes = (trust: Context, { keyed }: RouteAuth, secure: boolean) =>
  new Elysia({ tags: ['Operator'] })
    .use(keyed)
    .get('/api/v1/operator/api-keys', ({ principal, query }) => listApiKeys(trust, principal, query), {
      keyed: 'issuer',
      query: ApiKeyListQuery,
      response: responses({ 200: ApiKeyListResponse }, KEYED, STORED, commonErrors.agent_not_enrolled),
      detail: {
        operationId: 'listApiKeys',
        summary: "List the operator's API keys",
        description:
          'Newest first. `keyHash`, the SHA-256 of a key, identifies it; the service does not store keys.',
      },
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
        response: responses(
          { 201: NewApiKeyResponse },
          WRITE,
          PUBLIC,
          quotasErrors.quota_exceeded,
          commonErrors.agent_not_enrolled,
          commonErrors.idempotency_key_reused,
        ),
        detail: {
          'x-optional-body': true,
          operationId: 'createApiKey',
          summary: 'Create an API key',
          description:
            'Only this response contains the key. The new key cannot have more rights than the key that creates it: only an admin ' +
            'key can create an admin key, and a scope must be within its own. A holder key acts for one agent and needs its ' +
            '`subject_commitment`. The body is optional.',
          'x-idempotent': true,
        },
      },
    )
    .delete(
      '/api/v1/operator/api-keys/:keyHash',
      ({ params, principal }) => deleteApiKey(trust, principal, params.keyHash),
      {
        keyed: 'revocation',
        params: ApiKeyPath,
        response: responses(
          { 200: DeletedApiKeyResponse },
          WRITE,
          commonErrors.agent_not_enrolled,
          commonErrors.not_found,
          commonErrors.conflict,
        ),
        detail: {
          operationId: 'deleteApiKey',
          summary: 'Delete an API key',
          description:
            'Ends the key, every session that it opened and every enrollment that it started, at once. A key can delete itself. An issuer ' +
            'key can also delete keys that have no rights beyond its own: an admin key needs an admin key, and the scope of the deleted key ' +
            'must be within its own (403). The last issuer key cannot be deleted (409); keys whose scope has ended do not count. Issuer ' +
            'keys of a suspended operator can also delete keys. A key whose scope has ended can delete only itself (403 `scope_ended`).',
        },
      },
    )
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
        response: responses(
          { 201: SessionResponse },
          WRITE,
          PUBLIC,
          quotasErrors.quota_exceeded,
          commonErrors.agent_not_enrolled,
        ),
        detail: {
          operationId: 'openSession',
          summary: 'Open a session',
          description:
            'Sets the HttpOnly cookie `session_token`, which replaces the key for 12 hours, or until the key is deleted. A write ' +
            'with the cookie needs the header `X-Requested-With` (any value), which other sites cannot send. A holder key cannot ' +
            'open a session (403), nor can a key whose scope has ended (403 `scope_ended`); an open session can then do what the key can. ' +
            'For people, the pages at `/account` open a session by a form.',
        },
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
        response: responses(
          { 200: EndedSessionResponse },
          WRITE,
          commonErrors.agent_not_enrolled,
          commonErrors.not_found,
        ),
        detail: {
          operationId: 'endSession',
          summary: 'End the session',
          description:
            'Ends the session of the cookie in the request, also after the scope of its key has ended.',
        },
      },
    );
