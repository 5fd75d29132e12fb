import { Elysia } from 'elysia';
import type { JsonValue } from '../../../proof/encoding/json.ts';
import { type IdempotencyStore, type Once, onceFor } from '../../idempotency/once.ts';
import { readJson } from '../request/body.ts';

/** What a service tells the platform about its keys. `Access` is what a route may ask of one. */
export interface Authenticator<Principal extends object, Access> {
  /**
   * `headers` go with the answer, whatever becomes of the request.
   * @throws the service's own refusal of a missing or unknown key, or of one that may not do what the route does
   */
  authenticate(request: Request, access: Access, headers: Headers): Promise<Principal>;
  /**
   * Decides by the body, before it is validated, whether the caller may send it; null where the body does not matter. Not optional, so
   * that no authenticator loses it unnoticed. @throws the service's own error for a key that may not send this body
   */
  authorize: ((principal: Principal, body: unknown) => void) | null;
  /** Members and elements that a body may have, where more than the default is needed. */
  maxBodyItems?: number;
  /** Whose an Idempotency-Key is: the same from another is another. */
  idempotencyScope(principal: Principal): string;
  /** Where first answers are kept, for requests with an Idempotency-Key. */
  idempotency: IdempotencyStore;
}

type Headers = Record<string, string | number>;

interface Context {
  request: Request;
  set: { headers: Headers };
}

/**
 * The macro that puts the key before everything else of a request: `keyed: <access>` on a route answers 401 or 403 before its
 * body is read, with good, bad and no JSON alike; then reads the body strictly and hands the handler the `principal`,
 * and `once`, which answers a repeated request as the first time.
 *
 * Both hooks are needed: `parse` is skipped for a request without a body, and `transform` alone would run after the
 * framework's own parser.
 */
export function keyed<Principal extends object, Access>(keys: Authenticator<Principal, Access>) {
  const principals = new WeakMap<Request, Principal>();
  /** What was read, which the framework hands on by a type that says less of it. */
  const bodies = new WeakMap<Request, JsonValue>();
  const enter = async ({ request, set }: Context, access: Access): Promise<void> => {
    if (principals.has(request)) return;
    principals.set(request, await keys.authenticate(request, access, set.headers));
  };
  return new Elysia({ name: 'keyed' }).macro({
    keyed: (access: Access) => ({
      parse: async (context: Context) => {
        await enter(context, access);
        const body = await readJson(context.request, keys.maxBodyItems);
        bodies.set(context.request, body);
        return body;
      },
      transform: async (context: Context & { body: unknown }) => {
        const { request, body } = context;
        await enter(context, access);
        const principal = principals.get(request);
        if (principal !== undefined) keys.authorize?.(principal, body);
      },
      resolve: ({ request, set }: Context) => {
        const principal = principals.get(request);
        if (principal === undefined) throw new Error('a keyed route was reached without a key');
        const replayed = (): void => {
          set.headers['idempotency-replayed'] = 'true';
        };
        const once: Once = onceFor(
          keys.idempotency,
          request,
          keys.idempotencyScope(principal),
          bodies.get(request) ?? null,
          replayed,
        );
        return { principal, once };
      },
    }),
  });
}

/** The token of `Authorization: Bearer <token>` (RFC 6750 section 2.1); null for anything else. */
export function bearerToken(request: Request): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}
