import type { Cookie } from 'elysia';
import { type Demonstration, noticeOf } from '../../platform/http/openapi/demonstration.ts';
import { isCrossOrigin } from '../../platform/http/request/same-origin.ts';
import { DuplicateFormGuard } from '../../platform/page/duplicate-form-guard.ts';
import { html } from '../../platform/page/html.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { SESSION_COOKIE } from '../accounts/keys/session-cookie.ts';
import type { Mailer } from '../accounts/mail/mail.ts';
import type { Accounts } from '../accounts/services.ts';
import type { Clinicians } from '../clinicians/services.ts';
import { commonErrors } from '../http/errors.ts';
import { type Problem, problemOf, sentenceOf } from './problem.ts';
import type { PageOrRedirect, PageResponse, StartReason } from './response.ts';
import { Sessions } from './session.ts';

/** The services that the pages use. */
export interface PageServices extends Clinicians, Pick<Accounts, 'store' | 'ids' | 'dailyKeys'> {
  clock: Clock;
  /** Null when keys are shown instead of sent by mail. */
  mailer: Mailer | null;
}

type Headers = Record<string, string | number>;

/**
 * The authentication and the rate limits of pages. Wrong keys and ended sessions count against the limit of
 * the address.
 */
export interface PageAuth {
  /** Checks a key that was entered. @returns its SHA-256 @throws ApiError, Refusal rate */
  hashOfEntered(request: Request, apiKey: string, headers: Headers): Promise<{ keyHash: string }>;
  /**
   * Checks that the key of a session is active. `counts`: whether the request counts as one of the key.
   * @throws ApiError, Refusal rate
   */
  authenticateSession(
    request: Request,
    viewer: { keyHash: string; counts: boolean },
    headers: Headers,
  ): Promise<object>;
  /** Counts a request for a new account. @returns the headers of its response @throws Refusal rate */
  countNewAccount(request: Request): Promise<object>;
  /** Returns the client address of a request, as the rate limits see it. */
  callerOf(request: Request): string;
  /** Counts a request for suggestions. @returns the headers of its response @throws Refusal rate */
  countSuggestion(request: Request): Promise<object>;
}

/** The part of the serving service that the pages use. */
export interface PageServing {
  staffing: PageServices;
  auth: { pages: PageAuth };
  /** The description of the demonstration; null when the service is not one. */
  demonstration: Demonstration | null;
  /** The URL of the service for its clients; `/` if it is not known. */
  serverUrl: string;
}

/** What a page needs of a request and its response. */
export interface Exchange {
  request: Request;
  set: { headers: Headers; status?: number | string };
  cookie: Record<string, Cookie<unknown>>;
}

/** Where programs find the service (RFC 8631). */
const LINKS =
  '</openapi.json>; rel="service-desc", </swagger>; rel="service-doc", </api/health>; rel="status"';

/** The pages: who looks at them, and how pages and redirects become HTTP responses. */
export class PageSite {
  readonly staffing: PageServices;
  readonly demonstration: Demonstration | null;
  /** The responses that show a key once. */
  readonly duplicateForms: DuplicateFormGuard<PageOrRedirect>;
  private readonly auth: PageAuth;
  private readonly sessions: Sessions;
  private readonly serverUrl: string;

  /** @param startResponse returns the start page, for a visitor without a session */
  constructor(
    { staffing, auth, demonstration, serverUrl }: PageServing,
    private readonly startResponse: (reason: StartReason) => Promise<PageResponse>,
  ) {
    this.staffing = staffing;
    this.demonstration = demonstration;
    this.duplicateForms = new DuplicateFormGuard(() => staffing.clock.now());
    this.auth = auth.pages;
    this.sessions = new Sessions(staffing, serverUrl.startsWith('https:'));
    this.serverUrl = serverUrl;
  }

  /**
   * Returns a page for the session of a key; without one, with the start page. `onProblem` returns the page
   * when the page cannot be shown.
   * @param counts whether the request counts as one of the key, as a page with data of the registry does
   */
  async show(
    exchange: Exchange,
    counts: boolean,
    make: () => Promise<PageOrRedirect>,
    onProblem: (problem: Problem) => Promise<PageResponse>,
  ): Promise<string> {
    const { request, set } = exchange;
    try {
      const keyHash = this.sessions.keyHashOf(request);
      if (keyHash === null) return this.showStart(exchange, counts ? 'Sign in to see this page.' : null);
      if (keyHash === 'ended') throw commonErrors.INVALID_KEY();
      await this.auth.authenticateSession(request, { keyHash, counts }, set.headers);
      return await this.send(exchange, await make());
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null) throw error;
      if (problem.status === 401) return this.showStart(exchange, 'Your session has ended. Sign in again.');
      const message = sentenceOf(problem, problem.headers['retry-after'] ?? set.headers['retry-after']);
      const response = await onProblem({ ...problem, message });
      return this.send(exchange, { status: problem.status, headers: problem.headers, ...response });
    }
  }

  /** Performs what a form asks for, unless another site made the browser send it. */
  async submit(exchange: Exchange, act: () => Promise<PageOrRedirect>): Promise<string> {
    const isForeign = isCrossOrigin(exchange.request, this.serverUrl);
    return this.send(exchange, isForeign ? foreignForm() : await act());
  }

  /**
   * Checks a key that was entered. Each wrong one counts against the limit of the address. @returns its
   * SHA-256 @throws ApiError, Refusal rate
   */
  async hashOfEntered({ request, set }: Exchange, apiKey: string): Promise<string> {
    return (await this.auth.hashOfEntered(request, apiKey, set.headers)).keyHash;
  }

  /** Counts a request for a sandbox key. @returns the client address @throws Refusal rate */
  async countNewAccount({ request, set }: Exchange): Promise<string> {
    Object.assign(set.headers, await this.auth.countNewAccount(request));
    return this.auth.callerOf(request);
  }

  /**
   * Lets a request for suggestions pass. It counts for the address only. @throws ApiError INVALID_KEY,
   * KEY_REVOKED, Refusal rate
   */
  async admitSuggestion({ request, set }: Omit<Exchange, 'cookie'>): Promise<void> {
    Object.assign(set.headers, await this.auth.countSuggestion(request));
    const keyHash = this.sessions.keyHashOf(request);
    if (keyHash === null || keyHash === 'ended') throw commonErrors.INVALID_KEY();
    await this.auth.authenticateSession(request, { keyHash, counts: false }, set.headers);
  }

  /** @param problem null for somebody who asked for the start page */
  private async showStart(exchange: Exchange, problem: string | null): Promise<string> {
    if (problem === null) return this.send(exchange, await this.startResponse({}));
    const { pathname, search } = new URL(exchange.request.url);
    const response = await this.startResponse({ problem, next: pathname + search });
    return this.send(exchange, { ...response, status: 401, session: null });
  }

  private async send({ request, set, cookie }: Exchange, response: PageOrRedirect): Promise<string> {
    const { session } = response;
    const hadSession = this.sessions.keyHashOf(request) !== null;
    if (session !== undefined && (session !== null || hadSession)) {
      cookie[SESSION_COOKIE]?.set(this.sessions.cookieOf(session));
    }
    if ('location' in response) {
      set.status = 303;
      Object.assign(set.headers, {
        location: response.location,
        'content-type': 'text/plain; charset=utf-8',
      });
      return '';
    }
    const { renderRegistryPage } = await import('./page/layout.ts');
    const { text, headers } = renderRegistryPage(response, noticeOf(this.demonstration));
    set.status = response.status ?? 200;
    const challenge = set.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    Object.assign(set.headers, challenge, { link: LINKS }, response.headers, headers);
    return text;
  }
}

function foreignForm(): PageResponse {
  return {
    title: 'This is not allowed',
    isSignedIn: false,
    status: 403,
    body: html`<div class="narrow"><h1>This is not allowed</h1>
<p>Another site sent this form. Open the page here, and send its form.</p>
<p><a class="button" href="/">Clinician registry</a></p></div>`,
  };
}
