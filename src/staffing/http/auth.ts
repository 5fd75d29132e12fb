import type { keyed } from '../../platform/http/auth/keyed.ts';
import type { open } from '../../platform/http/auth/open.ts';
import type { Access, Admin, Principal } from './principal.ts';

/** The authentication of routes. The service creates it; a route uses one of these macros. */
export interface StaffingAuth {
  /** Requires the key of a partner: `keyed: 'registry:read'`. */
  keyed: ReturnType<typeof keyed<Principal, Access>>;
  /** Requires the admin token: `keyed: true`. */
  admin: ReturnType<typeof keyed<Admin, true>>;
  /** Requires no key, and limits the requests of a client address: `open: 'newAccounts'`. */
  open: ReturnType<typeof open<'newAccounts'>>;
  /** Returns the client address of a request, as the rate limits see it. */
  callerOf(request: Request): string;
}
