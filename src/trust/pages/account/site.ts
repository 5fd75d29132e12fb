import type { Cookie } from 'elysia';
import type { MasterKey } from '../../../platform/crypto/master-key.ts';
import { ApiError } from '../../../platform/http/errors/errors.ts';
import { noticeOf } from '../../../platform/http/openapi/demonstration.ts';
import type { Cursors } from '../../../platform/http/pagination/cursor.ts';
import { type Form, type FormFields, readForm } from '../../../platform/http/request/form.ts';
import { isCrossOrigin } from '../../../platform/http/request/same-origin.ts';
import type { Ids } from '../../../platform/ids.ts';
import { DuplicateFormGuard } from '../../../platform/page/duplicate-form-guard.ts';
import { CLAIM_COOKIE, claimCookie } from '../../billing/claim-cookie.ts';
import type { PaymentProcessor } from '../../billing/processor/processor.ts';
import type { AcceptContext } from '../../hires/engagements/accept.ts';
import type { EscrowPolicy } from '../../hires/escrow/settings.ts';
import { commonErrors } from '../../http/errors.ts';
import type { Serving } from '../../http/serving.ts';
import type { CreditsPolicy } from '../../ledger/credits/settings.ts';
import type { StatementResponseContext } from '../../ledger/statements/response.ts';
import type { WalletsPolicy } from '../../ledger/wallets/evm-policy.ts';
import type { Access, Principal, Principals } from '../../operators/auth/authenticate.ts';
import { SESSION_COOKIE, sessionToken } from '../../operators/auth/credential.ts';
import { CsrfTokens } from '../../operators/auth/csrf.ts';
import type { RouteAuth } from '../../operators/auth/route-auth.ts';
import type { Quotas } from '../../operators/quotas/quotas.ts';
import type { LastingActs } from '../../operators/restored/lasting-acts.ts';
import { SESSION_SECONDS } from '../../operators/sessions.ts';
import type { OperatorsPolicy } from '../../operators/settings.ts';
import type { GatePolicy } from '../../receipts/gate/settings.ts';
import type { Webhooks } from '../../webhooks/open.ts';
import type { WebhookContext } from '../../webhooks/webhook.ts';
import { PAGES } from '../explorer/pages.ts';
import { type Problem, problemOf } from './problem.ts';
import type { AccountResponse, LoginPage, PageResponse, SessionChange, Visitor } from './response.ts';

type Context = StatementResponseContext &
  AcceptContext & {
    ids: Ids;
    policy: CreditsPolicy & WalletsPolicy & OperatorsPolicy & GatePolicy & EscrowPolicy;
    principals: Principals;
    acts: LastingActs;
    quotas: Quotas;
    cursors: Cursors;
    processor: () => Promise<PaymentProcessor | null>;
    url: string | null;
    masterKey: MasterKey;
  };

/** The service that the account pages belong to. */
export type AccountServing = Serving<Context, RouteAuth> & { webhooks: Webhooks };

/** The parts of a request and its response that a page needs. */
export interface Exchange {
  request: Request;
  set: { headers: Record<string, string | number>; status?: number | string };
  cookie: Record<string, Cookie<unknown>>;
}

/** The form of a write: its fields except `csrf_token`, and the access of the same operation of the API. */
interface FormRules<Field extends string, List extends string> extends FormFields<Field, List> {
  access: Access;
}

type Acting<Field extends string, List extends string> = (
  visitor: Visitor,
  form: Form<Field, List>,
) => Promise<AccountResponse>;

type OnProblem<Field extends string, List extends string> = (
  visitor: Visitor,
  form: Form<Field, List>,
  problem: Problem,
) => Promise<AccountResponse>;

/** The account pages: authenticates visitors, reads their forms, and sends the responses. */
export class AccountSite {
  readonly trust: Context;
  readonly webhooks: WebhookContext;
  readonly eventNames: readonly string[];
  readonly demonstration: AccountServing['demonstration'];
  /** Whether receipts have pages. */
  readonly hasExplorer: boolean;
  /** The first segments of the paths of its pages, to which a login can lead. */
  readonly explorerFolders: ReadonlySet<string>;
  /** Responses that show a secret once. */
  readonly duplicateForms: DuplicateFormGuard<AccountResponse>;
  private readonly auth: RouteAuth['forms'];
  private readonly csrfTokens: CsrfTokens;
  private readonly secure: boolean;

  /** @param loginPage returns the page to log in */
  constructor(
    { trust, webhooks, auth, events, demonstration, secure, hasExplorer }: AccountServing,
    private readonly loginPage: (page: LoginPage) => Promise<PageResponse>,
  ) {
    this.trust = trust;
    this.webhooks = webhooks;
    this.eventNames = Object.keys(events);
    this.demonstration = demonstration;
    this.hasExplorer = hasExplorer;
    this.explorerFolders = new Set(hasExplorer ? PAGES.map(({ path }) => path.split('/')[1] ?? '') : []);
    this.duplicateForms = new DuplicateFormGuard(() => trust.clock.now());
    this.auth = auth.forms;
    this.csrfTokens = new CsrfTokens(trust.readOnly ? null : trust.masterKey);
    this.secure = secure;
  }

  /** Sends a public page. @throws Refusal rate */
  async showPublic(exchange: Exchange, make: () => Promise<AccountResponse>): Promise<string | Response> {
    Object.assign(exchange.set.headers, await this.auth.count(exchange.request, 'publicReads'));
    return this.send(exchange, await make());
  }

  /** Sends a page of the visitor's operator; without a session, the page to log in. */
  async show(
    exchange: Exchange,
    make: (visitor: Visitor) => Promise<AccountResponse>,
  ): Promise<string | Response> {
    const visitor = await this.visitorOf(exchange, 'session', async () => '');
    return this.send(exchange, 'page' in visitor ? visitor : await make(visitor));
  }

  /**
   * Performs the action of a form. If it is refused, `onProblem` returns the page of the form as it was sent.
   * @throws ApiError forbidden for a form of another session, and errors of the service
   */
  async submit<const Field extends string, const List extends string = never>(
    exchange: Exchange,
    { access, fields, lists = [] }: FormRules<Field, List>,
    act: Acting<Field, List>,
    onProblem?: OnProblem<Field, List>,
  ): Promise<string | Response> {
    const { request } = exchange;
    const sending: { form: Form<Field | 'csrf_token', List> | null } = { form: null };
    const visitor = await this.visitorOf(exchange, access, async () => {
      sending.form = await readForm(request, { fields: [...fields, 'csrf_token'], lists });
      return sending.form.fields.csrf_token;
    });
    if ('page' in visitor) return this.send(exchange, visitor);
    const { form: sent } = sending;
    if (sent === null) throw new Error('a form was accepted without its csrf_token');
    try {
      return this.send(exchange, await act(visitor, sent));
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null || onProblem === undefined) throw error;
      const response = await onProblem(visitor, sent, problem);
      const status = { status: problem.status, headers: problem.headers };
      return this.send(exchange, 'page' in response ? { ...status, ...response } : response);
    }
  }

  /**
   * Performs the action of a form of a public page.
   * @param rules the limit that counts the request; with null, only failures count
   * @throws ApiError forbidden for a form of another site
   */
  async submitPublic<const Field extends string>(
    exchange: Exchange,
    { limit, fields }: { limit: 'publicPosts' | 'checkout' | null; fields: readonly Field[] },
    act: (form: Form<Field>) => Promise<AccountResponse>,
  ): Promise<string | Response> {
    const { request, set } = exchange;
    if (limit !== null) Object.assign(set.headers, await this.auth.count(request, limit));
    if (isCrossOrigin(request, this.trust.url)) {
      throw commonErrors.forbidden({
        message: 'Another site sent this form. Open the page here, and send its form.',
      });
    }
    return this.send(exchange, await act(await readForm(request, { fields })));
  }

  /**
   * Authenticates a key that was entered. Each wrong one counts against the limit of the address.
   * @throws ApiError, Refusal rate
   */
  authenticateKey({ request, set }: Exchange, apiKey: string): Promise<Principal> {
    return this.auth.authenticateKey(request, apiKey, set.headers);
  }

  /** Returns the visitor of a request; without a live session, the page to log in. */
  private async visitorOf(
    { request, set }: Exchange,
    access: Access,
    readCsrfToken: () => Promise<string>,
  ): Promise<Visitor | PageResponse> {
    const token = sessionToken(request);
    try {
      const { csrfTokens } = this;
      const formAccess = { access, csrfTokens, readCsrfToken };
      const principal = await this.auth.authenticateForm(request, formAccess, set.headers);
      return { principal, csrfToken: csrfTokens.tokenOf(token ?? '') };
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'unauthorized')) throw error;
      if (request.method === 'POST') {
        const lost = 'Your session has ended, so nothing was changed. Log in, and send the form again.';
        return this.loginPage({ problem: lost, status: 401, session: null });
      }
      const { pathname, searchParams } = new URL(request.url);
      const next = (pathname === '/account' ? searchParams.get('next') : null) ?? pathname;
      if (token === null) return this.loginPage({ next });
      const ended = 'Your session has ended. Log in again.';
      return this.loginPage({ next, problem: ended, status: 401, session: null });
    }
  }

  private async send(
    { request, set, cookie }: Exchange,
    response: AccountResponse,
  ): Promise<string | Response> {
    if (response.session !== undefined) this.setSession(cookie, response.session);
    if (response.claim !== undefined)
      cookie[CLAIM_COOKIE]?.set(claimCookie(request, response.claim, this.secure));
    if ('location' in response) {
      set.status = 303;
      const { location } = response;
      Object.assign(set.headers, { location, 'content-type': 'text/plain; charset=utf-8' });
      return '';
    }
    if ('response' in response) return response.response;
    if ('file' in response) {
      const { text, type, name } = response.file;
      set.headers['content-type'] = `${type}; charset=utf-8`;
      set.headers['content-disposition'] = `attachment; filename="${name}"`;
      return text;
    }
    const { renderAccountPage } = await import('./page/layout.ts');
    const { text, headers } = renderAccountPage(response.page, noticeOf(this.demonstration));
    set.status = response.status ?? 200;
    const challenge = set.status === 401 ? { 'www-authenticate': 'Bearer' } : {};
    Object.assign(set.headers, challenge, response.headers, headers);
    return text;
  }

  private setSession(cookie: Exchange['cookie'], token: SessionChange): void {
    const attributes = { httpOnly: true, sameSite: 'lax', secure: this.secure, path: '/' } as const;
    cookie[SESSION_COOKIE]?.set({
      ...attributes,
      value: token ?? '',
      maxAge: token === null ? 0 : SESSION_SECONDS,
    });
  }
}
