import type { FormPage } from '../../../platform/page/form-page.ts';
import type { Html } from '../../../platform/page/html.ts';
import type { NewClaim } from '../../billing/claim-cookie.ts';
import type { Principal } from '../../operators/auth/authenticate.ts';

/** The visitor of a page, who has a session of an operator. */
export interface Visitor {
  principal: Principal;
  csrfToken: string;
}

/** The pages of the navigation. */
export const NAVIGATION = [
  { path: '/account', name: 'Overview' },
  { path: '/account/keys', name: 'API keys' },
  { path: '/account/credits', name: 'Credits' },
  { path: '/account/engagements', name: 'Hires' },
  { path: '/account/billing', name: 'Billing' },
  { path: '/account/webhooks', name: 'Webhooks' },
] as const;

/** A page of the account. */
export interface AccountPage {
  title: string;
  /** null for a page before the login, which has no navigation. */
  visitor: Visitor | null;
  /** The entry of the navigation that the page belongs to. */
  current?: (typeof NAVIGATION)[number]['path'];
  body: Html;
  refresh?: FormPage['refresh'];
}

/** The token of a new session for the cookie; null removes the cookie. */
export type SessionChange = string | null;

/** A response to a request of a browser. */
export type AccountResponse = PageResponse | Redirect | FileResponse | WholeResponse;

export interface PageResponse {
  page: AccountPage;
  /** Default 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  session?: SessionChange;
  claim?: NewClaim;
}

/** A file that the browser saves. */
interface FileResponse {
  file: { text: string; type: string; name: string };
  session?: SessionChange;
  claim?: NewClaim;
}

/** A response that is sent as it is: one that is written part by part, or a page of another layout. */
interface WholeResponse {
  response: Response;
  session?: SessionChange;
  claim?: NewClaim;
}

interface Redirect {
  /** A path of this service. The browser loads it with GET (303). */
  location: string;
  session?: SessionChange;
  claim?: NewClaim;
}

/** The page to log in: the requested path, and why the page is shown. */
export interface LoginPage {
  /** The path that the visitor requested. */
  next?: string;
  /** Why the visitor must log in again, or could not. */
  problem?: string;
  status?: number;
  session?: null;
}
