import { countFailedAttempts } from '../../platform/http/auth/failed-attempts.ts';
import { type Authenticator, bearerToken, keyed } from '../../platform/http/auth/keyed.ts';
import { open } from '../../platform/http/auth/open.ts';
import { idempotencyStore } from '../../platform/http/idempotency/service.ts';
import type { RateLimit, RateLimiter } from '../../platform/http/request/rate-limits.ts';
import type { Payer } from '../../platform/turns/payers.ts';
import { authenticateAdmin } from '../admin/token.ts';
import type { StaffingAuth } from '../http/auth.ts';
import type { Access, Admin, Principal } from '../http/principal.ts';
import type { PageAuth } from '../pages/site.ts';
import type { StaffingContext } from './context.ts';

/**
 * Suggestions while somebody types: a few for each field of a search. They have no clinician in them, so they
 * count for no partner.
 */
const SUGGESTIONS: RateLimit = { name: 'suggestions', requests: 300, seconds: 60 };

/** Who looks at a page: the key of the session, and whether the request counts as one of this key. */
interface Viewer {
  keyHash: string;
  counts: boolean;
}

/** The administrator, who has a turn among the partners. */
const ADMINISTRATOR: Payer = { id: 'administrator', key: '', isFree: false };

/** The authentication of routes and of pages. */
export interface ServiceAuth extends StaffingAuth {
  pages: PageAuth;
}

type AdminContext = Pick<StaffingContext, 'principals' | 'adminTokenHash'>;

/** Authenticates the administrator, who is known from then on. @throws ApiError as `authenticateAdmin` */
function acceptedAdmin({ principals, adminTokenHash }: AdminContext, request: Request): Admin {
  const admin = authenticateAdmin(adminTokenHash, request);
  principals.payers.accepted(principals.payers.credentialOf(request), ADMINISTRATOR);
  return admin;
}

/**
 * Verifies the admin token or the key of a request, only to know who pays for it. @throws ApiError for one
 * that is not valid
 */
export async function verifyPayer(context: AdminContext, request: Request): Promise<void> {
  if (bearerToken(request)?.startsWith('adm_') === true) acceptedAdmin(context, request);
  else await context.principals.verifyPayer(request);
}

/**
 * Returns the authentication of routes: macros for a partner's key, the admin token and public routes, and
 * functions for pages.
 */
export function staffingAuth(context: StaffingContext, limits: RateLimiter): ServiceAuth {
  const { principals, clock, clockWatch, policy, meter } = context;
  const idempotency = idempotencyStore(clock, clockWatch);
  const guarded = <By extends object, Of>(these: Authenticator<By, Of>): Authenticator<By, Of> =>
    countFailedAttempts(these, limits, policy.publicPosts);
  const keys: Authenticator<Principal, Access> = {
    authenticate: (request, access, headers) => principals.authenticate(request, access, meter, headers),
    authorize: null,
    idempotencyScope: ({ partnerId, tier }) => `${partnerId} ${tier}`,
    idempotency,
  };
  return {
    keyed: keyed(guarded(keys)),
    admin: keyed(
      guarded<Admin, true>({
        authenticate: async (request) => acceptedAdmin(context, request),
        authorize: null,
        idempotencyScope: () => 'admin',
        idempotency,
      }),
    ),
    open: open(limits, { newAccounts: policy.newAccounts }),
    callerOf: (request) => limits.callerOf(request),
    pages: {
      callerOf: (request) => limits.callerOf(request),
      /** Checks a key that was entered. It must be able to read the registry. */
      hashOfEntered: guarded<{ keyHash: string }, string>({
        authenticate: (_request, apiKey) => principals.hashOfEntered(apiKey, 'registry:read'),
        authorize: null,
        idempotencyScope: () => null,
        idempotency,
      }).authenticate,
      authenticateSession: guarded<Principal, Viewer>({
        ...keys,
        authenticate: (request, { keyHash, counts }, headers) => {
          const token = principals.payers.sessionOf(request.headers);
          const metered = counts ? meter : null;
          return principals.authenticateSession(token, keyHash, 'registry:read', metered, headers);
        },
      }).authenticate,
      /** Counts a request. @returns the headers of its response @throws Refusal rate */
      countNewAccount: (request: Request) => limits.count(request, policy.newAccounts),
      countSuggestion: (request: Request) => limits.count(request, SUGGESTIONS),
    },
  };
}
