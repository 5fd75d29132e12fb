import type { Authenticator } from '../../../platform/http/auth/keyed.ts';
import type { RateLimit, RateLimiter } from '../../../platform/http/request/rate-limits.ts';
import { type Actor, ownerOfIdempotencyKey } from './actor.ts';
import { type Access, type Principals, unauthorized } from './authenticate.ts';
import { SESSION_COOKIE } from './credential.ts';

/**
 * The sender of a request that acts for an agent: the principal of a key or session; null if only the agent
 * signed the request.
 */
export interface AgentCredential {
  principal: Actor | null;
}

/**
 * Returns the authentication of requests that act for an agent: a key or a session, or only the agent's
 * signature in the body (`agent_auth`), which the logic verifies. Requests without a key count against the
 * rate limit of public requests; requests with a key do not.
 */
export function agentCallerAuth(
  { principals }: { principals: Principals },
  limits: RateLimiter,
  policy: RateLimit,
): Omit<Authenticator<AgentCredential, Access>, 'idempotency'> {
  return {
    async authenticate(request, access, headers) {
      if (hasCredential(request)) return { principal: await principals.authenticate(request, access) };
      Object.assign(headers, await limits.count(request, policy));
      return { principal: null };
    },
    authorize({ principal }, body) {
      if (principal === null && !isSigned(body)) throw unauthorized();
    },
    /** The nonce of the agent's signature protects a request without a key from repetition. */
    idempotencyScope: ({ principal }, isCapture) =>
      principal === null ? null : ownerOfIdempotencyKey(principal, isCapture),
  };
}

function hasCredential({ headers }: Request): boolean {
  return headers.has('authorization') || new Bun.CookieMap(headers.get('cookie') ?? '').has(SESSION_COOKIE);
}

/** Returns whether a body claims an agent's authorization. The schema and the logic check it. */
function isSigned(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'agent_auth' in body;
}
