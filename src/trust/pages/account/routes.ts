import { Elysia } from 'elysia';
import { noticeOf } from '../../../platform/http/openapi/demonstration.ts';
import { formRouteDetail } from '../../../platform/page/form-routes.ts';
import { requestLineOf } from '../../agents/agent-auth.ts';
import { commonErrors } from '../../http/errors.ts';
import { type AccountServing, AccountSite, type Exchange } from './site.ts';

/** The framework must not read the bodies of forms: `readForm` is stricter. */
const UNREAD = { parse: 'none' } as const;

/**
 * Returns the routes of the account pages. The code of a page is loaded with the first request for it, since
 * most clients are programs. A path that only takes forms answers GET with the page of the form, because
 * browsers load the address again when asked to.
 */
export function accountRoutes(serving: AccountServing) {
  const site: AccountSite = new AccountSite(serving, async (page) =>
    (await loginPages()).loginAnswer(site, page),
  );
  const notice = noticeOf(serving.demonstration);
  const detail = formRouteDetail({ home: '/account', homeName: 'Your account', notice });
  const page = { detail };
  const form = { ...UNREAD, detail };
  return [
    new Elysia()
      .get(
        '/account',
        ({ request, set, cookie }) =>
          site.show({ request, set, cookie }, async (visitor) =>
            (await overviewPages()).overview(site, visitor),
          ),
        page,
      )
      .post(
        '/account/login',
        ({ request, set, cookie }) => {
          const exchange = { request, set, cookie };
          return site.submitPublic(
            exchange,
            { limit: null, fields: ['api_key', 'next'] },
            async ({ fields }) => (await loginPages()).logIn(site, exchange, fields),
          );
        },
        form,
      )
      .post(
        '/account/logout',
        ({ request, set, cookie }) => {
          const exchange = { request, set, cookie };
          return site.submit(exchange, { access: 'logout', fields: [] }, async (visitor) =>
            (await loginPages()).logOut(site, exchange, visitor),
          );
        },
        form,
      )
      .get('/account/login', ({ set }) => see(set, '/account'), page)
      .get('/account/logout', ({ set }) => see(set, '/account'), page)
      .get('/account/', ({ set }) => see(set, '/account'), page)
      // A mistyped address is answered by a page, not by JSON.
      .get(
        '/account/*',
        () => {
          throw commonErrors.not_found();
        },
        page,
      ),
    keyRoutes(site, page, form),
    creditRoutes(site, page),
    engagementRoutes(site, page, form),
    billingRoutes(site, page, form),
    subscriptionRoutes(site, page, form),
    webhookRoutes(site, page, form),
  ];
}

type PageHook = Readonly<Record<'detail', ReturnType<typeof formRouteDetail>>>;
type FormHook = PageHook & typeof UNREAD;

function keyRoutes(site: AccountSite, page: PageHook, form: FormHook) {
  return new Elysia()
    .get(
      '/account/keys',
      ({ request, set, cookie, query }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await keyPages()).keysPage(site, visitor, { cursor: query.cursor, isRevoked: 'revoked' in query }),
        ),
      page,
    )
    .post(
      '/account/keys',
      async ({ request, set, cookie }) => {
        const { KEY_FIELDS, createKey, keysPage } = await keyPages();
        return site.submit(
          { request, set, cookie },
          { access: 'issuer', fields: KEY_FIELDS },
          (visitor, { fields }) => createKey(site, visitor, fields),
          (visitor, { fields }, problem) => keysPage(site, visitor, { refused: { form: fields, problem } }),
        );
      },
      form,
    )
    .get(
      '/account/keys/:keyHash/revoke',
      ({ request, set, cookie, params }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await keyPages()).revokePage(site, visitor, params.keyHash),
        ),
      page,
    )
    .post(
      '/account/keys/:keyHash/revoke',
      async ({ request, set, cookie, params: { keyHash } }) => {
        const { revokeKey, revokePage } = await keyPages();
        return site.submit(
          { request, set, cookie },
          { access: 'revocation', fields: [] },
          (visitor) => revokeKey(site, visitor, keyHash),
          (visitor, _form, problem) => revokePage(site, visitor, keyHash, problem),
        );
      },
      form,
    );
}

function creditRoutes(site: AccountSite, page: PageHook) {
  return new Elysia()
    .get(
      '/account/credits',
      ({ request, set, cookie, query }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await creditPages()).creditsPage(site, visitor, query),
        ),
      page,
    )
    .get(
      '/account/credits/journal.csv',
      ({ request, set, cookie }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await creditFiles()).journalFile(site, visitor, request, 'text/csv'),
        ),
      page,
    )
    .get(
      '/account/credits/journal.ndjson',
      ({ request, set, cookie }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await creditFiles()).journalFile(site, visitor, request, 'application/x-ndjson'),
        ),
      page,
    )
    .get(
      '/account/credits/:month/:name',
      ({ request, set, cookie, params }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await creditFiles()).statementFile(site, visitor, request, params),
        ),
      page,
    );
}

function engagementRoutes(site: AccountSite, page: PageHook, form: FormHook) {
  return new Elysia()
    .get(
      '/account/engagements',
      ({ request, set, cookie, query }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await engagementPages()).engagementsPage(site, visitor, query),
        ),
      page,
    )
    .get(
      '/account/engagements/:taskId',
      ({ request, set, cookie, params, query }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await hirePages()).hirePage(site, visitor, params.taskId, { isDone: 'done' in query }),
        ),
      page,
    )
    .post(
      '/account/engagements/:taskId/:move',
      async ({ request, set, cookie, params }) => {
        const { hirePage } = await hirePages();
        const { makeMove, MOVE_FIELDS, movePath } = await moves();
        return site.submit(
          { request, set, cookie },
          { access: 'any', fields: MOVE_FIELDS },
          (visitor, { fields }) => makeMove(site, visitor, movePath(params), requestLineOf(request), fields),
          (visitor, { fields }, problem) => {
            const { taskId, move } = movePath(params);
            return hirePage(site, visitor, taskId, { refused: { move, form: fields, problem } });
          },
        );
      },
      form,
    )
    .get(
      '/account/engagements/:taskId/:move',
      ({ set, params }) => see(set, `/account/engagements/${encodeURIComponent(params.taskId)}`),
      page,
    );
}

function billingRoutes(site: AccountSite, page: PageHook, form: FormHook) {
  return new Elysia()
    .get(
      '/account/billing',
      ({ request, set, cookie, query }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await billingPages()).billingPage(site, visitor, { isBack: 'back' in query }),
        ),
      page,
    )
    .post(
      '/account/billing/topup',
      async ({ request, set, cookie }) => {
        const { billingPage, TOPUP_FIELDS, topUp } = await billingPages();
        return site.submit(
          { request, set, cookie },
          // As the operation of the API: a suspended operator can pay what it owes.
          { access: 'payment', fields: TOPUP_FIELDS },
          (visitor, { fields }) => topUp(site, visitor, fields),
          (visitor, { fields }, problem) =>
            billingPage(site, visitor, { refused: { form: fields, problem } }),
        );
      },
      form,
    )
    .post(
      '/account/billing/wallet',
      async ({ request, set, cookie }) => {
        const { billingPage, createWallet } = await billingPages();
        return site.submit(
          { request, set, cookie },
          { access: 'issuer', fields: [] },
          (visitor) => createWallet(site, visitor),
          (visitor, _form, walletProblem) => billingPage(site, visitor, { walletProblem }),
        );
      },
      form,
    )
    .get(
      '/account/billing/payments',
      ({ request, set, cookie, query }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await paymentPages()).paymentsPage(site, visitor, query),
        ),
      page,
    )
    .get(
      '/account/billing/payments.csv',
      ({ request, set, cookie, query }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await paymentPages()).paymentsFile(site, visitor, query),
        ),
      page,
    )
    .post(
      '/account/billing/portal',
      async ({ request, set, cookie }) => {
        const { billingPage, openPortal } = await billingPages();
        return site.submit(
          { request, set, cookie },
          { access: 'payment', fields: [] },
          (visitor) => openPortal(site, visitor),
          (visitor, _form, portalProblem) => billingPage(site, visitor, { portalProblem }),
        );
      },
      form,
    )
    .get('/account/billing/portal', ({ set }) => see(set, '/account/billing'), page)
    .get('/account/billing/topup', ({ set }) => see(set, '/account/billing'), page)
    .get('/account/billing/wallet', ({ set }) => see(set, '/account/billing'), page);
}

/** The pages for people without a key: to subscribe, and to get the key after the payment. */
function subscriptionRoutes(site: AccountSite, page: PageHook, form: FormHook) {
  return new Elysia()
    .get(
      '/billing',
      ({ request, set, cookie }) =>
        site.showPublic({ request, set, cookie }, async () => (await subscribing()).subscribePage(site)),
      page,
    )
    .post(
      '/billing/subscribe',
      ({ request, set, cookie }) =>
        site.submitPublic(
          { request, set, cookie },
          { limit: 'checkout', fields: ['email'] },
          async ({ fields }) => (await subscribing()).orderSubscription(site, fields),
        ),
      form,
    )
    .get('/billing/subscribe', ({ set }) => see(set, '/billing'), page)
    .get(
      '/billing/done',
      ({ request, set, cookie }) => {
        const exchange = { request, set, cookie };
        return site.showPublic(exchange, async () => (await subscribing()).donePage(site, exchange));
      },
      page,
    )
    .post(
      '/billing/done',
      ({ request, set, cookie }) => {
        const exchange = { request, set, cookie };
        const rules = { limit: 'publicPosts', fields: ['session_id'] } as const;
        return site.submitPublic(exchange, rules, async ({ fields }) =>
          (await subscribing()).claim(site, exchange, fields),
        );
      },
      form,
    )
    .get(
      '/billing/cancelled',
      ({ request, set, cookie }) =>
        site.showPublic({ request, set, cookie }, async () => (await subscribing()).cancelledPage()),
      page,
    );
}

function webhookRoutes(site: AccountSite, page: PageHook, form: FormHook) {
  return new Elysia()
    .get(
      '/account/webhooks',
      ({ request, set, cookie, query }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await webhookPages()).webhooksPage(site, visitor, {
            cursor: query.cursor,
            isDeleted: 'deleted' in query,
          }),
        ),
      page,
    )
    .post(
      '/account/webhooks',
      async ({ request, set, cookie }) => {
        const { subscribe, WEBHOOK_FIELDS, webhooksPage } = await webhookPages();
        return site.submit(
          { request, set, cookie },
          { access: 'issuer', fields: WEBHOOK_FIELDS, lists: ['events'] },
          (visitor, sent) => subscribe(site, visitor, sent),
          (visitor, sent, problem) => webhooksPage(site, visitor, { refused: { form: sent, problem } }),
        );
      },
      form,
    )
    .get(
      '/account/webhooks/:id',
      ({ request, set, cookie, params }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await webhookPages()).webhookPage(site, visitor, params.id),
        ),
      page,
    )
    .get(
      '/account/webhooks/:id/delete',
      ({ request, set, cookie, params }) =>
        site.show({ request, set, cookie }, async (visitor) =>
          (await webhookPages()).deletePage(site, visitor, params.id),
        ),
      page,
    )
    .post(
      '/account/webhooks/:id/delete',
      async ({ request, set, cookie, params: { id } }) => {
        const { deletePage, unsubscribe } = await webhookPages();
        return site.submit(
          { request, set, cookie },
          { access: 'issuer', fields: [] },
          (visitor) => unsubscribe(site, visitor, id),
          (visitor, _form, problem) => deletePage(site, visitor, id, problem),
        );
      },
      form,
    );
}

const loginPages = () => import('./login.ts');
const overviewPages = () => import('./overview.ts');
const keyPages = () => import('./keys.ts');
const creditPages = () => import('./credits.ts');
const creditFiles = () => import('./credit-files.ts');
const engagementPages = () => import('./engagements/list.ts');
const hirePages = () => import('./engagements/hire.ts');
const moves = () => import('./engagements/moves.ts');
const billingPages = () => import('./billing.ts');
const paymentPages = () => import('./payments.ts');
const subscribing = () => import('./subscribe.ts');
const webhookPages = () => import('./webhooks.ts');

function see(set: Pick<Exchange['set'], 'status' | 'headers'>, location: string): string {
  set.status = 303;
  set.headers.location = location;
  return '';
}
