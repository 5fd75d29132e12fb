import { countFailedAttempts } from '../../../platform/http/auth/failed-attempts.ts';
import { identified } from '../../../platform/http/auth/identified.ts';
import { type Authenticator, keyed } from '../../../platform/http/auth/keyed.ts';
import { open } from '../../../platform/http/auth/open.ts';
import { idempotencyStore } from '../../../platform/http/idempotency/service.ts';
import type { JsonBodyRules } from '../../../platform/http/request/body.ts';
import type { RateLimiter } from '../../../platform/http/request/rate-limits.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { ClockWatch } from '../../../platform/time/clock-watch.ts';
import type { RateLimitPolicy } from '../../http/rate-limits.ts';
import { type Actor, type OperatorActor, ownerOfIdempotencyKey } from './actor.ts';
import { type AgentCredential, agentCallerAuth } from './agent-caller.ts';
import type { Access, Principal, Principals } from './authenticate.ts';
import type { CsrfTokens } from './csrf.ts';
import { localActor, localManager, localOperator } from './local-administrator.ts';

/** The access that a form needs, and where its `csrf_token` is. */
interface FormAccess {
  access: Access;
  csrfTokens: CsrfTokens;
  readCsrfToken(): Promise<string>;
}

/** The parts of the service that authenticate. */
interface AuthContext {
  principals: Principals;
  clock: Clock;
  clockWatch: ClockWatch;
  store: Store;
  policy: RateLimitPolicy;
}

/**
 * Returns the authentication of routes, as macros: `keyed` (an API key or session), `open` (without
 * authentication), `identified` (open, and a key shows more), `agentAuth` (a key, or an agent's signature in
 * the body); `keyedWith` (a key, and other rules for the body) and `authenticatedBy` (another credential)
 * return the macro of one route; `acting` (a key, or the local administrator), `operating` (a key, or the
 * local administrator in the place of an operator), `managing` (a key, or the local administrator who
 * administers an operator).
 * @param isLocal true for the application of the local administrator, who is then the caller of all routes
 * that take an `Actor` or an `OperatorActor`
 */
export function routeAuth(context: AuthContext, limits: RateLimiter, isLocal = false) {
  const { principals, clock, clockWatch, store, policy } = context;
  const idempotency = idempotencyStore(clock, clockWatch);
  const keys = {
    authenticate: (request: Request, access: Access) => principals.authenticate(request, access),
    authorize: null,
    idempotencyScope: ownerOfIdempotencyKey,
    idempotency,
  };
  const guarded = <By extends object, Of>(authenticator: Authenticator<By, Of>): Authenticator<By, Of> =>
    countFailedAttempts(authenticator, limits, policy.rateLimits.publicPosts);
  /** A command is not repeated over a network, so it has no Idempotency-Key. */
  const local = {
    authenticate: (request: Request) => localActor(store, request),
    ...{ authorize: null, idempotencyScope: () => null, idempotency },
  };
  return {
    keyed: keyed(guarded<Principal, Access>(keys)),
    /** A key, for a route with other rules for its body. */
    keyedWith: (bodyRules: JsonBodyRules) => keyed(guarded<Principal, Access>({ ...keys, bodyRules })),
    /** Another credential than a key. */
    authenticatedBy: <By extends object, Of>(authenticator: Omit<Authenticator<By, Of>, 'idempotency'>) =>
      keyed(guarded<By, Of>({ ...authenticator, idempotency })),
    /** As `authenticatedBy`; the local administrator acts for an operator, as with a key. */
    operatingOr: <By extends object, Of>(
      authenticator: Omit<Authenticator<By, Of>, 'idempotency'>,
      { access, callerOf }: { access: Access; callerOf(principal: OperatorActor): By },
    ) =>
      keyed<By, Of>(
        isLocal
          ? {
              ...authenticator,
              ...local,
              authorize: authenticator.authorize,
              authenticate: async (request) => callerOf(await localOperator(store, request, access)),
            }
          : guarded({ ...authenticator, idempotency }),
      ),
    agentAuth: keyed<AgentCredential, Access>(
      isLocal
        ? { ...local, authenticate: async (request) => ({ principal: await localActor(store, request) }) }
        : guarded({ ...agentCallerAuth(context, limits, policy.rateLimits.publicPosts), idempotency }),
    ),
    acting: keyed<Actor, Access>(isLocal ? local : guarded<Actor, Access>(keys)),
    operating: keyed<OperatorActor, Access>(
      isLocal
        ? { ...local, authenticate: (request, access) => localOperator(store, request, access) }
        : guarded<OperatorActor, Access>(keys),
    ),
    managing: keyed<OperatorActor, Access>(
      isLocal
        ? { ...local, authenticate: (request) => localManager(store, request) }
        : guarded<OperatorActor, Access>(keys),
    ),
    open: open(limits, policy.rateLimits),
    identified: identified({ ...keys, isAsked: hasAuthorization }, limits, policy.rateLimits),
    /** As `identified`, but the local administrator is always identified. */
    identifiedActing: identified<Actor, Access, keyof RateLimitPolicy['rateLimits']>(
      isLocal ? { ...local, isAsked: () => true } : { ...keys, isAsked: hasAuthorization },
      limits,
      policy.rateLimits,
    ),
    /** For the endpoint of several methods, which decides by the body whether it needs a key. */
    byMethod: {
      authenticate: guarded<Principal, Access>(keys).authenticate,
      /** Counts a request without a key. @returns the headers of its response @throws Refusal rate */
      countPublic: (request: Request) => limits.count(request, policy.rateLimits.publicPosts),
      /**
       * Counts the request for a page, which sends no CORS headers.
       * @param name the limit of the operations that say the same
       * @returns the headers of its response
       * @throws Refusal rate
       */
      countRead: (request: Request, name: 'publicReads' | 'gate' = 'publicReads') =>
        limits.count(request, policy.rateLimits[name]),
    },
    /** For pages with forms. Wrong keys and sessions count against the limit of the client's address. */
    forms: {
      /** Authenticates a key that was entered, even of a suspended operator. */
      authenticateKey: guarded<Principal, string>({
        ...keys,
        authenticate: (_request, apiKey) => principals.authenticateKey(apiKey, 'session'),
      }).authenticate,
      authenticateForm: guarded<Principal, FormAccess>({
        ...keys,
        authenticate: (request, { access, csrfTokens, readCsrfToken }) =>
          principals.authenticateForm(request, access, csrfTokens, readCsrfToken),
      }).authenticate,
      /** Counts a request for a public page. @returns the headers of its response @throws Refusal rate */
      count: (request: Request, name: 'publicReads' | 'publicPosts' | 'checkout') =>
        limits.count(request, policy.rateLimits[name]),
    },
    /** Counts a package that is built for a request. @throws Refusal rate */
    countBuild: async (request: Request): Promise<void> => {
      await limits.count(request, policy.rateLimits.packages);
    },
    /** Returns the caller of a request, as the rate limits see it. */
    callerOf: (request: Request) => limits.callerOf(request),
  };
}

const hasAuthorization = ({ headers }: Request): boolean => headers.has('authorization');

export type RouteAuth = ReturnType<typeof routeAuth>;
