import { Elysia } from 'elysia';
import type { JsonValue } from '../../../proof/encoding/json.ts';
import { type IdempotencyStore, type Once, onceFor } from '../idempotency/once.ts';
import { type JsonBodyRules, readJson } from '../request/body.ts';

/** The authentication of a service. `Access` is what a route may require of a key. */
export interface Authenticator<Principal extends object, Access> {
  /**
   * Authenticates a request. `headers` are added to the response in any case.
   * @throws the service's error for a missing or unknown key, or for one without the required access
   */
  authenticate(request: Request, access: Access, headers: Headers): Promise<Principal>;
  /**
   * Decides by the body, before it is validated, whether the caller may send it; null where the body does not
   * matter. Not optional, so that no authenticator loses it unnoticed. @throws the service's own error for a
   * key that may not send this body
   */
  authorize: ((principal: Principal, body: unknown) => void) | null;
  /** What a body may be, if it differs from the bodies of other routes. */
  bodyRules?: JsonBodyRules;
  /**
   * Returns the owner of an Idempotency-Key. The same key of another owner is a different key. null: the
   * request's key is ignored.
   * @param isCapture whether the Idempotency-Key is a capture id, which is repeated days later
   */
  idempotencyScope(principal: Principal, isCapture: boolean): string | null;
  /** The store of the first responses to requests with an Idempotency-Key. */
  idempotency: IdempotencyStore;
}

type Headers = Record<string, string | number>;

interface Context {
  request: Request;
  body: unknown;
  set: { headers: Headers };
}

/** The caller of a request, and the body that it has sent. */
interface Caller<Principal> {
  principal: Principal;
  body: JsonValue;
}

/**
 * Returns the macro that checks the key first. `keyed: <access>` on a route responds with 401 or 403 before
 * the body is read, whether it is valid JSON or not. Then it reads the body strictly and gives the handler
 * the `principal` and `once`, which repeats the first response to a repeated request.
 */
export function keyed<Principal extends object, Access>(keys: Authenticator<Principal, Access>) {
  const callers = new WeakMap<Request, Caller<Principal>>();
  return new Elysia({ name: 'keyed' }).macro({
    keyed: (access: Access) => ({
      transform: async (context: Context) => {
        const { request, set } = context;
        const principal = await keys.authenticate(request, access, set.headers);
        const body = await readJson(request, keys.bodyRules);
        callers.set(request, { principal, body: body ?? null });
        context.body = body;
        keys.authorize?.(principal, body);
      },
      resolve: ({ request, set }: Context) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error('a keyed route was reached without a key');
        const { principal, body } = caller;
        const replayed = (): void => {
          set.headers['idempotency-replayed'] = 'true';
        };
        const ownerOf = (isCapture: boolean) => keys.idempotencyScope(principal, isCapture);
        const once: Once = onceFor(keys.idempotency, request, ownerOf, body, replayed);
        return { principal, once };
      },
    }),
  });
}

/** Returns the token of `Authorization: Bearer <token>` (RFC 6750 section 2.1); null for anything else. */
export function bearerToken(request: Request): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}
