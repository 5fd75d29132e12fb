import { Elysia } from 'elysia';
import { sha256Hex } from '../../platform/crypto/crypto.ts';
import { noticeOf } from '../../platform/http/openapi/demonstration.ts';
import { isNotModified } from '../../platform/http/request/conditional.ts';
import { readForm } from '../../platform/http/request/form.ts';
import { formRouteDetail } from '../../platform/page/form-routes.ts';
import { type Completion, specialtyCompletions, surnameCompletions } from '../clinicians/completions.ts';
import { commonErrors } from '../http/errors.ts';
import { SCRIPT, SCRIPT_PATH } from './page/script.ts';
import { type Exchange, type PageServing, PageSite } from './site.ts';

/** The framework must not read the bodies of forms: `readForm` is stricter. */
const UNREAD = { parse: 'none' } as const;
const HIDDEN = { detail: { hide: true } } as const;
/** The characters of a text that suggestions look at. */
const TYPED = 100;

/**
 * Returns the routes of the pages. Their code is loaded with the first request for one, since most clients
 * are programs. A path that only takes forms responds to GET with the start page, because browsers load the
 * address again when asked to.
 */
export function pageRoutes(serving: PageServing) {
  const site: PageSite = new PageSite(serving, async (reason) =>
    (await startPages()).startResponse(site, reason),
  );
  const notice = noticeOf(serving.demonstration);
  const detail = formRouteDetail({ home: '/', homeName: 'Clinician registry', notice });
  const page = { detail };
  const form = { ...UNREAD, detail };
  return new Elysia()
    .get(
      '/',
      async ({ request, set, cookie }) => (await searchPages()).searchPage(site, { request, set, cookie }),
      page,
    )
    .get(
      '/clinicians/:npi',
      async ({ request, set, cookie, params }) =>
        (await clinicianPages()).clinicianPage(site, { request, set, cookie }, params.npi),
      page,
    )
    .post(
      '/login',
      ({ request, set, cookie }) => {
        const exchange = { request, set, cookie };
        return site.submit(exchange, async () => {
          const { fields } = await readForm(request, { fields: ['api_key', 'next'] });
          return (await startPages()).signIn(site, exchange, fields);
        });
      },
      form,
    )
    .post(
      '/logout',
      ({ request, set, cookie }) =>
        site.submit({ request, set, cookie }, async () => ({ location: '/', session: null })),
      form,
    )
    .post(
      '/sandbox-keys',
      ({ request, set, cookie }) => {
        const exchange = { request, set, cookie };
        return site.submit(exchange, async () => {
          const { getKey, KEY_FIELDS } = await keyPages();
          const { fields } = await readForm(request, { fields: KEY_FIELDS });
          return getKey(site, exchange, fields);
        });
      },
      form,
    )
    .get('/login', ({ set }) => see(set), page)
    .get('/logout', ({ set }) => see(set), page)
    .get('/sandbox-keys', ({ set }) => see(set), page)
    .get('/suggestions', ({ request, set }) => suggestions(site, { request, set }), HIDDEN)
    .get(
      SCRIPT_PATH,
      ({ request, set }) => {
        set.headers['content-type'] = 'text/javascript; charset=utf-8';
        const isKnown = isNotModified(request, set.headers, SCRIPT_ETAG, 'no-cache');
        if (isKnown) set.status = 304;
        return isKnown ? '' : SCRIPT;
      },
      HIDDEN,
    );
}

const SCRIPT_ETAG = `"${sha256Hex(SCRIPT).slice(0, 32)}"`;

/**
 * Returns what a field can suggest for a text. @throws ApiError INVALID_KEY, KEY_REVOKED, VALIDATION_FAILED,
 * REGISTRY_UNAVAILABLE
 */
async function suggestions(
  site: PageSite,
  { request, set }: Omit<Exchange, 'cookie'>,
): Promise<{ suggestions: Completion[] }> {
  await site.admitSuggestion({ request, set });
  const { searchParams } = new URL(request.url);
  const text = (searchParams.get('text') ?? '').slice(0, TYPED);
  switch (searchParams.get('field')) {
    case 'surname':
      return { suggestions: await surnameCompletions(site.staffing, text) };
    case 'specialty':
      return { suggestions: await specialtyCompletions(site.staffing, text) };
    default:
      throw commonErrors.VALIDATION_FAILED({ issues: { field: ['must be surname or specialty'] } });
  }
}

const searchPages = () => import('./search.ts');
const clinicianPages = () => import('./clinician.ts');
const startPages = () => import('./start.ts');
const keyPages = () => import('./keys.ts');

function see(set: Pick<Exchange['set'], 'status' | 'headers'>): string {
  set.status = 303;
  set.headers.location = '/';
  return '';
}
